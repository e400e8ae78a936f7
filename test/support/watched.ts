import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { folderWith } from './afterwards.ts'
import { openEvents } from './http.ts'
import { simulate } from './in-process.ts'

/** A simulator with a database, and everything it outputs. The test saves a snapshot named `kept`. */
export async function watched() {
  const folder = folderWith()
  const heard: unknown[] = []
  const hooks = { onNotice: (notice: unknown) => heard.push(notice), onEvent: (event: unknown) => heard.push(event) }
  const { call, as, url, close } = await simulate({ db: join(folder, 'db.json') }, hooks)
  const events = await openEvents(`${url}/_sim/events`)

  /** Everything readable over the API and in files, before and after closing, by its location. */
  async function everythingShown(sandbox: string, tables: string[]) {
    const read = async (path: string) => (await call('GET', path)).text
    const paths = ['/_sim/info', '/_sim/sandboxes', '/_sim/resources', '/_sim/assumptions', '/_sim/control.json']
    for (const at of ['/_sim', `/_sim/sandboxes/${sandbox}`])
      for (const what of 'requests?limit=1000 requests.har state scenario snapshots clock deliveries'.split(' '))
        paths.push(`${at}/${what}`, ...tables.map(table => `${at}/db/${table}`))
    const found: Record<string, string> = {}
    for (const path of paths) found[path] = await read(path)
    for (const { id } of JSON.parse(found['/_sim/requests?limit=1000']!).requests)
      found[id] = await read(`/_sim/requests/${id}`)
    const readFiles = (when: string) => {
      for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
        if (file.isFile()) found[file.name + when] = readFileSync(join(file.parentPath, file.name), 'utf8')
    }
    readFiles('')
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['db.json', 'db.json.log', 'kept.json']))
    await close()
    readFiles(' after the end')
    return { ...found, events: JSON.stringify(events.events), heard: JSON.stringify(heard) } as Record<string, string>
  }
  return { call, as, url, events, everythingShown }
}
