import assert from 'node:assert/strict'
import { checkFixture } from '../../../../src/engine/fixtures/index.ts'
import { ngrok } from '../../../../src/ngrok/api.ts'
import type { Simulated } from '../../../support/in-process.ts'

/** Fixtures are loaded by age, so lists are compared sorted by id. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const list = value.map(sorted) as { id?: string }[]
    return list.every(each => typeof each?.id === 'string') ? list.toSorted((a, b) => (a.id! < b.id! ? -1 : 1)) : list
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner)]))
}

const FRESH = '/_sim/sandboxes/fresh-for-states'

/** The state of each sandbox must be the same after loading it again. */
export async function checkStates({ call, sandboxes }: Simulated) {
  for (const { name } of sandboxes.list()) {
    const { body: state } = await call('GET', `/_sim/sandboxes/${name}/state`)
    const shown = `${name}: ${JSON.stringify(state).slice(0, 2_000)}`
    const checked = checkFixture(state, { catalog: ngrok.catalog, now: 0, dangling: true })
    assert(!Array.isArray(checked), `${JSON.stringify(checked).slice(0, 500)} in ${shown}`)
    const set = await call('PUT', FRESH, { scenario: { assume: { unknown_reference: 'accept' } }, fixture: 'empty' })
    if (set.status === 503) continue
    const put = async (given: unknown) => {
      const { status, text } = await call('PUT', `${FRESH}/state`, given)
      assert.equal(status, 204, `its own state is rejected: ${text} ${shown}`)
      return (await call('GET', `${FRESH}/state`)).body
    }
    const second = await put(state)
    assert.deepEqual(sorted(second), sorted(state))
    assert.deepEqual(await put(second), second)
    await call('DELETE', FRESH)
  }
}
