import { createHash } from 'node:crypto'
import { readFileSync, watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Simulator } from '../../simulator/types.ts'
import type { Log } from '../log/log.ts'

const QUIET_MS = 50

/** Reloads a changed file without a restart; an invalid file changes nothing, and the log says why. */
export function watchFiles({ files, reload }: Simulator, log: Log): () => void {
  const stops = (['fixture', 'scenario'] as const).flatMap(what => {
    const file = files[what]
    if (file === undefined) return []
    const onChange = async () => {
      try {
        await reload(what)
        log.onNotice({ level: 'info', text: `${file} changed: reloaded` })
      } catch (error) {
        log.onNotice({ level: 'error', text: `${file} changed, but was not reloaded:\n${(error as Error).message}` })
      }
    }
    return [watchFile(file, onChange)]
  })
  return () => {
    for (const stop of stops) stop()
  }
}

/** Calls back when the content of a file changes. Watches its folder, because editors replace files. */
function watchFile(file: string, onChange: () => Promise<void>): () => void {
  const path = resolve(file)
  let seen = digest(path)
  let timer: NodeJS.Timeout | undefined
  let turn = Promise.resolve()
  const look = () => {
    const now = digest(path)
    // The file is missing while an editor replaces it.
    if (now === undefined || now === seen) return
    seen = now
    turn = turn.then(onChange)
  }
  const watcher = watch(dirname(path), (_event, name) => {
    if (name !== null && name !== basename(path)) return
    // One save can cause several events.
    clearTimeout(timer)
    timer = setTimeout(look, QUIET_MS)
  })
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

function digest(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('base64')
  } catch {
    return undefined
  }
}
