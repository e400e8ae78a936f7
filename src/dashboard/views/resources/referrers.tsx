import { isObject } from '../../../basics/json.ts'
import { Fact, Section } from '../../parts/section.tsx'
import { plural } from '../../state/kinds.ts'
import { stateVersion } from '../../state/live.ts'
import { hrefTo, sandbox } from '../../state/place.ts'
import { type Page, titleOf } from '../../state/records.ts'
import { useRemote } from '../../state/remote.ts'
import { resources, sandboxControl } from '../../state/simulator.ts'
import type { FieldInfo, Json, Kind, Row } from '../../types.ts'

const MAX_ROWS = 20

/** The paths of the fields that refer to a table: the names of the parent fields, then the own name. */
const referringPaths = (fields: readonly FieldInfo[], table: string): string[][] =>
  fields.flatMap(({ name, refers_to, fields: inner }) => [
    ...(refers_to?.includes(table) ? [[name]] : []),
    ...referringPaths(inner ?? [], table).map(path => [name, ...path]),
  ])

/** Kinds that may refer to a table, with the paths of the referring fields. Parts do not count as users of their parent. */
const kindsReferringTo = (table: string) =>
  resources
    .value!.kinds.map(kind => {
      const { fields, part_of } = kind
      const others = fields.filter(({ name }) => part_of?.table !== table || part_of.by !== name)
      return { kind, paths: referringPaths(others, table) }
    })
    .filter(({ paths }) => paths.length > 0)

/** The ids in a reference: an id, a list, or the keys of an object. */
const idsIn = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : [value].flat().map(String))

const refersTo = (row: Json, path: string[], id: string): boolean =>
  idsIn(path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], row)).includes(id)

/** The records that refer to an id: the first ones, and their number. Queries search neither lists nor groups. */
async function find(kind: Kind, paths: string[][], id: string, signal: AbortSignal) {
  const types = new Map(kind.fields.map(({ name, schema }) => [name, schema.type]))
  if (paths.every(([name, ...inner]) => inner.length === 0 && types.get(name!) === 'string')) {
    const where = JSON.stringify({ or: paths.map(([name]) => ({ [name!]: { eq: id } })) })
    const params = new URLSearchParams({ _where: where, _page: '1', _per_page: `${MAX_ROWS}` })
    const { data, items } = await sandboxControl<Page>('GET', `/db/${kind.table}?${params}`, { signal })
    return { kind, rows: data, count: items }
  }
  const all = await sandboxControl<Row[]>('GET', `/db/${kind.table}`, { signal })
  const rows = all.filter(row => paths.some(path => refersTo(row, path, id)))
  return { kind, rows: rows.slice(0, MAX_ROWS), count: rows.length }
}

/** The records that refer to this one. */
export function Referrers({ kind, id }: { kind: Kind; id: string }) {
  const kinds = kindsReferringTo(kind.table)
  const { data } = useRemote(`${sandbox.value} to ${id}`, stateVersion.value, async signal => {
    const found = await Promise.all(kinds.map(({ kind, paths }) => find(kind, paths, id, signal)))
    return found.filter(({ count }) => count > 0)
  })
  if (kinds.length === 0) return null
  return (
    <Section title="Used by">
      {data?.length === 0 && <p class="muted">Not used by any record.</p>}
      <dl class="facts">
        {data?.map(({ kind: found, rows, count }) => (
          <Fact key={found.table} name={plural(found)}>
            <ul class="values">
              {rows.map(row => (
                <li key={row.id}>
                  <a href={hrefTo(['resources', found.table, row.id])}>{row.id}</a>{' '}
                  <span class="muted">{titleOf(found, row)}</span>
                </li>
              ))}
              {count > rows.length && <li class="muted">and {count - rows.length} more</li>}
            </ul>
          </Fact>
        ))}
      </dl>
    </Section>
  )
}
