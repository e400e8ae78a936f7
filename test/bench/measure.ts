import type { Tables } from '../../src/ngrok/shapes.ts'

/** Ratios from one run, because absolute times vary on a busy machine. */

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

/** Runs the candidates in turns, so other load affects all of them. Returns the median round of each. */
export async function compare(candidates: Record<string, () => unknown>, { rounds = 15, each = 200 } = {}) {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(candidates).map(name => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const began = performance.now()
      for (let i = 0; i < each; i++) await run()
      // The first rounds warm up.
      if (round >= 0) times[name]!.push((performance.now() - began) / each)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]))
}

export function report(what: string, seen: string, wanted: string, reached: boolean) {
  console.log(`${reached ? 'reached' : 'MISSED '}  ${what}: ${seen} (wanted ${wanted})`)
}

export function manyKeys(count: number): Pick<Tables, 'users' | 'api_keys'> {
  const api_keys: Tables['api_keys'] = [
    { id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin', created_at: '2026-01-01T00:00:00Z' },
  ]
  for (let i = 1; i < count; i++) {
    api_keys.push({
      id: `ak_${String(i).padStart(8, '0')}`,
      owner_id: 'usr_admin',
      created_at: '2026-01-01T00:00:00Z',
      description: `Key number ${i}`,
      metadata: JSON.stringify({ index: i, note: 'x'.repeat(200) }),
    })
  }
  return { users: [{ id: 'usr_admin', admin: true }], api_keys }
}
