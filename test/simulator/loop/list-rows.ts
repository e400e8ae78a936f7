import { type Baseline, type Group, LARGE_SORT, type Row } from './row.ts'

const rows = ({ send, keys }: Baseline): Row[] => {
  const size = `${keys} keys`
  const list = (query: string, how = {}) => send('GET', `/api_keys?${query}`, how)
  const filter = (text: string) => list(`filter=${encodeURIComponent(text)}`, { status: [200, 400] })
  const find = (query: string) => send('GET', `/_sim/db/api_keys?${query}`)
  const middle = Math.floor(keys / 2)
  const where = encodeURIComponent('{"or":[{"description":{"contains":"77"}},{"metadata":{"eq":"x"}}]}')
  const lists: Row[] = [
    { what: 'list: first page', size, act: () => list('limit=100') },
    { what: 'list: before_id in the middle', size, act: () => list(`before_id=ak_many_${middle}`) },
    { what: 'list: before_id at the end', size, act: () => list('before_id=ak_many_3') },
    { what: 'list: before_id unknown', size, act: () => list('before_id=ak_mani_77', { status: [400] }) },
    { what: 'list: of a member', size, act: () => list('limit=100', { token: 'sim_member' }) },
  ]
  const filters: Row[] = [
    { what: 'filter: chooses nothing', size, act: () => filter('obj.description == "nothing"') },
    { what: 'filter: strings that double', size, act: () => filter(doubled(12)) },
    { what: 'filter: maximum length', size, act: () => filter(`${'obj.id=="x"||'.repeat(500)}false`) },
    {
      what: 'filter: maximum length, strings',
      size,
      act: () => filter(`${'obj.metadata.contains("aaaaab")||'.repeat(300)}false`),
    },
  ]
  const records: Row[] = [
    {
      what: 'db: sorted, a page',
      size,
      act: () => find('_sort=-description&_page=1&_per_page=10'),
      bound: LARGE_SORT,
    },
    {
      what: 'db: sorted by three',
      size,
      act: () => find('_sort=owner_id,-metadata,description&_page=9&_per_page=10'),
      bound: LARGE_SORT,
    },
    { what: 'db: contains, nothing found', size, act: () => find('description:contains=zzz') },
    { what: 'db: contains, a tenth found', size, act: () => find('description:contains=77') },
    { what: 'db: _where with or', size, act: () => find(`_where=${where}&_page=1`) },
    { what: 'db: everything', size, act: () => find('') },
    { what: 'db: unknown record', size, act: () => send('GET', '/_sim/db/api_keys/ak_mani_77', { status: [404] }) },
    {
      what: 'db: record written',
      size,
      act: time => send('PATCH', '/_sim/db/api_keys/ak_many_7', { body: { description: `${time}` } }),
    },
    {
      what: 'db: delete a referenced record',
      size,
      act: () => send('DELETE', '/_sim/db/users/usr_admin', { status: [409] }),
    },
    { what: 'key unknown', size, act: () => send('GET', '/api_keys/ak_mani_77', { status: [404] }) },
    { what: 'key created', size, act: () => send('POST', '/api_keys', { body: { description: 'new' } }) },
    { what: 'token unknown', size, act: time => send('GET', '/api_keys', { token: `nobody_${time}`, status: [401] }) },
  ]
  return [...lists, ...filters, ...records]
}

/** A string that becomes four times as long with each step, and is then split. */
const doubled = (steps: number): string => {
  let text = `v${steps}.split("").size() > 0`
  for (let i = steps; i > 0; i--) text = `cel.bind(v${i}, v${i - 1} + v${i - 1} + v${i - 1} + v${i - 1}, ${text})`
  return `cel.bind(v0, "aaaaaaaa", ${text})`
}

export const lists: Group = { name: 'lists', rows }
