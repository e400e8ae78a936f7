import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Collection } from '../../../src/engine/language/index.ts'
import { pathTo } from '../../../src/engine/language/index.ts'
import { kindOf, operations } from '../../../src/ngrok/resources/index.ts'
import type { SimulatorOptions } from '../../../src/simulator/options/options.ts'
import { folderWith } from '../../support/afterwards.ts'
import { edgesimHere, type Simulated, simulate } from '../../support/in-process.ts'
import { account, NOW, SECRET } from './rich-account.ts'

const FAST = ['--pace', '60000']

export const serveAccount = (options: SimulatorOptions = {}) =>
  simulate({ fixture: account as SimulatorOptions['fixture'], clock: NOW, ...options })

export async function importFrom(
  { url, token }: Pick<Simulated, 'url' | 'token'>,
  args: string[] = [],
  { out = 'account.json', folder = folderWith() } = {},
) {
  const ran = await edgesimHere(['import', '--url', url, '--out', out, ...FAST, ...args], {
    env: { EDGESIM_API_KEY: token ?? `${SECRET}-account` },
    cwd: folder,
  })
  const file = join(folder, out)
  return { ...ran, folder, file, text: existsSync(file) ? readFileSync(file, 'utf8') : undefined }
}

/** The requests of imports, by their user agent. */
export const requestsOf = ({ sandboxes }: Simulated) =>
  sandboxes
    .list()
    .flatMap(({ journal }) => journal.newestFirst().toReversed())
    .filter(({ request }) => request.headers['user-agent']?.startsWith('edgesim/'))
    .map(({ method, path, query }) => `${method} ${path}?${new URLSearchParams(query)}`)

/** Every GET path for the records in the state. */
export async function allGets({ call }: Pick<Simulated, 'call'>, at = '/_sim/state'): Promise<string[]> {
  const { body: state } = await call('GET', at)
  const rows = (table: string) => {
    const { partOf } = kindOf(table) as Partial<Collection>
    if (!partOf) return state[table] ?? []
    const records = state[partOf.table] ?? []
    return records.flatMap((each: Any) => each[partOf.list].map((part: Any) => ({ ...part, [partOf.by]: each.id })))
  }
  return operations.flatMap(({ kind, method, path, resource }) => {
    if (method !== 'GET') return []
    if (kind === 'list') return [path]
    if (kind === 'list_entries' || kind === 'get_entry')
      return (state.event_subscriptions ?? []).flatMap(({ id, sources }: Any) =>
        kind === 'list_entries'
          ? path.replace('{subscription_id}', id)
          : sources.map(({ type }: Any) => path.replace('{subscription_id}', id).replace('{type}', type)),
      )
    const of = 'of' in resource ? (kindOf(resource.of.table) as Collection) : (resource as Collection)
    const below = path.slice(`${of.path}/{id}`.length)
    return rows(of.table).map((row: Any) => `${pathTo(of, row)}${below}`)
  })
}

// biome-ignore lint/suspicious/noExplicitAny: states have many shapes
type Any = any
