import { type Baseline, type Group, LARGE_SORT, type Row } from './row.ts'

const rows = ({ send, keys }: Baseline): Row[] => {
  const row = (what: string, act: Row['act'], bound = 0): Row => ({ what, size: `${keys} keys`, act, bound })
  const list = (query: string, how = {}) => send('GET', `/api_keys?${query}`, how)
  const filter = (text: string) => list(`filter=${encodeURIComponent(text)}`, { status: [200, 400] })
  const find = (query: string) => send('GET', `/_sim/db/api_keys?${query}`)
  const middle = Math.floor(keys / 2)
  const where = encodeURIComponent('{"or":[{"description":{"contains":"77"}},{"metadata":{"eq":"x"}}]}')
  return [
    row('list: first page', () => list('limit=100')),
    row('list: before_id in the middle', () => list(`before_id=ak_many_${middle}`)),
    row('list: before_id at the end', () => list('before_id=ak_many_3')),
    row('list: before_id unknown', () => list('before_id=ak_mani_77', { status: [400] })),
    row('list: of a member', () => list('limit=100', { token: 'sim_member' })),
    row('filter: chooses nothing', () => filter('obj.description == "nothing"')),
    row('filter: strings that double', () => filter(doubled(12))),
    row('filter: maximum length', () => filter(`${'obj.id=="x"||'.repeat(500)}false`)),
    row('filter: maximum length, strings', () => filter(`${'obj.metadata.contains("aaaaab")||'.repeat(300)}false`)),
    row('db: sorted, a page', () => find('_sort=-description&_page=1&_per_page=10'), LARGE_SORT),
    row('db: sorted by three', () => find('_sort=owner_id,-metadata,description&_page=9&_per_page=10'), LARGE_SORT),
    row('db: contains, nothing found', () => find('description:contains=zzz')),
    row('db: contains, a tenth found', () => find('description:contains=77')),
    row('db: _where with or', () => find(`_where=${where}&_page=1`)),
    row('db: everything', () => find('')),
    row('db: unknown record', () => send('GET', '/_sim/db/api_keys/ak_mani_77', { status: [404] })),
    row('db: record written', time =>
      send('PATCH', '/_sim/db/api_keys/ak_many_7', { body: { description: `${time}` } }),
    ),
    row('db: delete a referenced record', () => send('DELETE', '/_sim/db/users/usr_admin', { status: [409] })),
    row('key unknown', () => send('GET', '/api_keys/ak_mani_77', { status: [404] })),
    row('key created', () => send('POST', '/api_keys', { body: { description: 'new' } })),
    row('token unknown', time => send('GET', '/api_keys', { token: `nobody_${time}`, status: [401] })),
  ]
}

/** A string that becomes four times as long with each step, and is then split. */
const doubled = (steps: number): string => {
  let text = `v${steps}.split("").size() > 0`
  for (let i = steps; i > 0; i--) text = `cel.bind(v${i}, v${i - 1} + v${i - 1} + v${i - 1} + v${i - 1}, ${text})`
  return `cel.bind(v0, "aaaaaaaa", ${text})`
}

export const lists: Group = { name: 'lists', rows }
