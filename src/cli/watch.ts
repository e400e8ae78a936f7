import { watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

const SETTLE_MS = 50

/** Calls back when a file was changed. The folder is watched: editors replace files rather than write to them. */
export function watchFile(file: string, onChange: () => Promise<void>): () => void {
  const path = resolve(file)
  let timer: NodeJS.Timeout | undefined
  const watcher = watch(dirname(path), (_event, name) => {
    if (name !== null && name !== basename(path)) return
    // One save can be several events.
    clearTimeout(timer)
    timer = setTimeout(() => void onChange(), SETTLE_MS)
  })
  watcher.on('error', () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
