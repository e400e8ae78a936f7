import { type Baseline, type Group, LARGE_STATE, manyKeys, type Row } from './row.ts'

/** The whole state: reset, replaced, exported, saved, and used for new sandboxes. */
const rows = ({ send, keys, fixture }: Baseline): Row[] => {
  const size = `${keys} keys`
  const large = (what: string, act: Row['act'], before?: Row['before']): Row => ({
    ...{ what, size, act, before },
    bound: LARGE_STATE,
  })
  const other = manyKeys(keys, ', another')
  const quarter = manyKeys(keys / 4)
  const bad = `${other.toString().slice(0, -2)},{"id":"ak_bad","owner_id":"usr_nobody"}]}`
  const inline = Buffer.from(`{"name":"inline","fixture":${fixture}}`)
  const replace = () => send('PUT', '/_sim/state', { body: other })
  const reset = () => send('POST', '/_sim/reset')
  const save = () => send('PUT', '/_sim/snapshots/kept')
  const restore = () => send('POST', '/_sim/snapshots/kept/restore')
  const touch = async () => {
    for (let i = 0; i < 100; i++)
      await send('PATCH', `/_sim/db/api_keys/ak_many_${i}`, { body: { description: `${Math.random()}` } })
  }
  const start = () => send('POST', '/_sim/sandboxes', { body: inline })
  const drop = () => send('DELETE', '/_sim/sandboxes/inline')
  return [
    { what: 'reset after 100 writes', size, before: touch, act: reset },
    { what: 'PUT /_sim/state', size: `${keys / 4} keys`, act: () => send('PUT', '/_sim/state', { body: quarter }) },
    large('PUT /_sim/state', replace),
    large('PUT /_sim/state, rejected at its end', () => send('PUT', '/_sim/state', { body: bad, status: [400] })),
    large('reset after PUT /_sim/state', reset, replace),
    { what: 'GET /_sim/state', size, act: () => send('GET', '/_sim/state') },
    { what: 'snapshot saved', size, before: touch, act: save },
    { what: 'snapshot restored after 100 writes', size, before: touch, act: restore },
    large('snapshot restored after PUT /_sim/state', restore, replace),
    large('sandbox created from an inline fixture', start, () => drop().catch(() => {})),
    large('sandbox reset to an inline fixture', () =>
      send('PUT', '/_sim/sandboxes/inline', { body: `{"fixture":${fixture}}` }),
    ),
    { what: 'sandbox dropped', size, before: () => start().catch(() => {}), act: drop },
  ]
}

export const state: Group = { name: 'state', rows }
/** Only `default` is stored. */
const storedRows = (ground: Baseline) => rows(ground).filter(({ what }) => !what.startsWith('sandbox'))
export const storedState: Group = { name: 'state with --db', stored: true, rows: storedRows }
