import { isDeepStrictEqual } from 'node:util'
import { checkFixture } from '../../../src/fixtures/index.ts'
import type { Simulated } from '../../support/in-process.ts'

type State = Record<string, { id: string }[]>

/** A fixture is loaded in order of age, so lists are compared sorted by id, also inside records. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const list = value.map(sorted) as { id?: string }[]
    return list.every(each => typeof each?.id === 'string') ? list.toSorted((a, b) => (a.id! < b.id! ? -1 : 1)) : list
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner)]))
}

const FRESH = 'fresh-for-states'

/** The problems of the states: each must load again and then be the same. */
export async function wrongStates({ call, sandboxes }: Simulated): Promise<string[]> {
  const wrong: string[] = []
  for (const { name } of sandboxes.list()) {
    const { body: state } = await call('GET', `/_sim/sandboxes/${name}/state`)
    const checked = checkFixture(state, { now: 0, dangling: true })
    if (Array.isArray(checked))
      wrong.push(`${name}: ${checked.map(({ message }) => message).slice(0, 3)} in ${show(state)}`)
    else wrong.push(...(await again(call, state)).map(why => `${name}: ${why}`))
  }
  return wrong
}

async function again(call: Simulated['call'], state: State): Promise<string[]> {
  const at = `/_sim/sandboxes/${FRESH}`
  const made = await call('PUT', at, { scenario: { assume: { unknown_reference: 'accept' } }, fixture: 'empty' })
  if (made.status === 503) return []
  const put = async (given: State) => {
    const { status, text } = await call('PUT', `${at}/state`, given)
    return status === 204 ? ((await call('GET', `${at}/state`)).body as State) : `its own state is refused: ${text}`
  }
  const second = await put(state)
  const third = typeof second === 'string' ? second : await put(second)
  await call('DELETE', at)
  if (typeof second === 'string') return [`${second} ${show(state)}`]
  if (!isDeepStrictEqual(sorted(second), sorted(state))) return [`it became another: ${difference(state, second)}`]
  return isDeepStrictEqual(third, second)
    ? []
    : [`put in twice, it is not the same: ${difference(second, third as State)}`]
}

const show = (state: State) => JSON.stringify(state).slice(0, 2_000)

export function difference(one: State, other: State): string {
  const tables = Object.keys({ ...one, ...other }).filter(table => !isDeepStrictEqual(one[table], other[table]))
  return tables
    .map(table => {
      const [these, those] = [one[table] ?? [], other[table] ?? []].map(list => list.map(each => JSON.stringify(each)))
      const only = (list: string[], rest: string[]) => list.filter(each => !rest.includes(each)).slice(0, 2)
      return `${table}: ${only(these!, those!)} became ${only(those!, these!)}`
    })
    .join('; ')
    .slice(0, 1_500)
}
