import { expect, it } from 'vitest'
import type { Row } from '../../../src/engine/language/index.ts'
import { Sandbox } from '../../../src/engine/sandbox/index.ts'
import { baseOf } from '../../../src/engine/state/index.ts'
import { tiny } from '../tiny-api.ts'

it('A change that fails halfway is neither logged nor applied, and the next one is applied', () => {
  const origin = { api: tiny, base: baseOf(tiny.catalog, {}), tokens: [], vendor: 'service', assumed: {} }
  const sandbox = new Sandbox('broken', origin, () => {})
  const logged: number[] = []
  sandbox.storeIn({ append: ({ seq }) => void logged.push(seq), file: '', bytes: 0 })
  const broken = {
    id: '3',
    get project_id(): string {
      throw new Error('a defect')
    },
  }
  const put = (...rows: Row[]) =>
    sandbox.commit(
      { kind: 'record' },
      rows.map(after => ({ table: 'tasks', id: after.id, before: null, after })),
    )
  put({ id: '1' })
  expect(() => put({ id: '2' }, broken)).toThrow('a defect')
  expect(put({ id: '4' }).seq).toBe(2)
  expect(sandbox.tables.rows()).toEqual({ projects: [], tasks: [{ id: '1' }, { id: '4' }] })
  expect(logged).toEqual([1, 2])
})
