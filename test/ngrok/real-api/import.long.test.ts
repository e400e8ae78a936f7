import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkFixture } from '../../../src/engine/fixtures/index.ts'
import { ngrok } from '../../../src/ngrok/api.ts'
import { importAccount } from '../../../src/ngrok/real-api/import/import-account.ts'
import { generated } from '../../server/api/fuzz/fixtures.ts'
import { folderWith } from '../../support/afterwards.ts'
import { callsOf } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { LONG_MS, samples } from '../../support/long.ts'
import { allGets } from './import-support.ts'
import { NOW } from './rich-account.ts'

type State = Record<string, Record<string, unknown>[]>

/** A state without conflicts, unlisted records and values that no response contains. */
function accepted(given: unknown): State {
  const {
    abuse_reports: _,
    _edgesim,
    order,
    missing,
    ...tables
  } = JSON.parse(JSON.stringify(given, (name, value) => (name === 'csr' ? undefined : value)))
  const admin = {
    users: [{ id: 'usr_owner', admin: true }],
    api_keys: [{ id: 'ak_owner', owner_id: 'usr_owner', token: 'sim_owner' }],
  }
  const state: State = { ...tables }
  // An enforced restriction would block the import.
  for (const restriction of state.ip_restrictions ?? []) restriction.enforced = false
  // No request can create these.
  for (const authority of state.ssh_certificate_authorities ?? []) {
    if (authority.private_key_type !== 'ecdsa') delete authority.elliptic_curve
    if (authority.private_key_type !== 'rsa') delete authority.key_size
  }
  for (const [table, own] of Object.entries(admin)) state[table] = [...own, ...(state[table] ?? [])]
  for (;;) {
    const problems = checkFixture(state, { catalog: ngrok.catalog, now: 0, ensureKey: true })
    if (!Array.isArray(problems)) return state
    const wrong = new Set(problems.map(({ path }) => `${path[0]} ${path[1]}`))
    for (const table of Object.keys(state)) state[table] = state[table]!.filter((_, i) => !wrong.has(`${table} ${i}`))
  }
}

const masked = (text: string) =>
  text
    .replaceAll(/"(client_secret|secret|aws_access_key_id)":"(\\.|[^"\\])+"/g, '"$1":"sim_secret"')
    .replaceAll(/"op_\w+"/g, '"op"')

describe('Any account', () => {
  it(
    'returns the same bytes after an import',
    async () => {
      const simulator = await simulate({ clock: NOW })
      const { url } = simulator
      // Fixtures may contain undocumented values, so these calls check no responses.
      const { call } = callsOf(simulator)
      let count = 0
      const stateOf = async (name: string, fixture: unknown) => {
        const created = await call('PUT', `/_sim/sandboxes/${name}`, { fixture })
        expect(created.text.slice(0, 500)).not.toContain('error_code')
      }
      const compare = async (given: unknown) => {
        const state = accepted(given)
        await stateOf('account', state)
        const out = `${folderWith()}/a.json`
        const { lines } = await importAccount(
          { url, key: 'sim_owner~account', vendor: 'service' },
          { out, pace: 60_000, keepTexts: true },
        )
        // Passwords in URLs are not imported, so accounts with one do not count as a run.
        fc.pre(!lines.some(line => line.startsWith('URLs, without password')))
        await stateOf('copy', JSON.parse(readFileSync(out, 'utf8')))
        for (const path of await allGets({ call }, '/_sim/sandboxes/account/state')) {
          const [there, here] = [
            await call('GET', path, undefined, { token: 'sim_owner~account' }),
            await call('GET', path, undefined, { token: 'sim_owner~copy' }),
          ]
          expect(`${path} ${here.status} ${masked(here.text)}`).toBe(`${path} ${there.status} ${masked(there.text)}`)
          count++
        }
      }
      await fc.assert(fc.asyncProperty(generated, compare), { numRuns: samples(4, 500), endOnFailure: true })
      expect(count).toBeGreaterThan(100)
    },
    LONG_MS,
  )
})
