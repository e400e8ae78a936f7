import { expect, it } from 'vitest'
import { Sandbox } from '../../../src/engine/sandbox/index.ts'
import { baseOf } from '../../../src/engine/state/index.ts'
import { ngrok } from '../../../src/ngrok/api.ts'

it('A change that fails halfway is neither logged nor applied, and the next one is applied', () => {
  const sandbox = new Sandbox(
    'broken',
    { api: ngrok, base: baseOf(ngrok.catalog, { api_keys: [] }), tokens: [], vendor: 'service', assumed: {} },
    () => {},
  )
  const logged: number[] = []
  sandbox.storeIn({ append: ({ seq }) => void logged.push(seq), file: '', bytes: 0 })
  const broken = {
    id: 'ak_broken',
    get token_sha256(): string {
      throw new Error('a defect')
    },
  }
  const put = (...rows: { id: string }[]) =>
    sandbox.commit(
      { kind: 'record' },
      rows.map(after => ({ table: 'api_keys', id: after.id, before: null, after })),
    )
  put({ id: 'ak_first' })
  const before = sandbox.tables.rows()
  expect(() => put({ id: 'ak_half' }, broken)).toThrow('a defect')
  expect(sandbox.tables.rows()).toEqual(before)
  expect(put({ id: 'ak_next' }).seq).toBe(2)
  expect(sandbox.tables.rows().api_keys!.map(({ id }) => id)).toEqual(['ak_first', 'ak_next'])
  expect(logged).toEqual([1, 2])
})
