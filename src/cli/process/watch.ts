import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { MAX_DOCUMENT_MB, readBytesOf } from '../../engine/files/read-file.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Log } from '../log/lines.ts'

const INTERVAL_MS = 100

/** Reloads a changed file without a restart. Logs the problems of an invalid file and does not load it. */
export function watchFiles({ sandboxes }: Simulator, log: Log): () => void {
  const { launch } = sandboxes
  const watched = new Map<string, () => boolean>()
  const hasChanged = (file: string) => {
    const changed = watched.get(file) ?? changesOf(file)
    watched.set(file, changed)
    return changed()
  }
  let stopped = false
  const look = async () => {
    for (const what of ['fixture', 'scenario'] as const) {
      const files = [launch.files[what] ?? [], what === 'fixture' ? launch.bases : []].flat()
      const [file] = files.filter(hasChanged)
      if (file === undefined) continue
      try {
        await sandboxes.relaunch(what)
        launch.bases.forEach(hasChanged)
        log.notice({ level: 'info', text: `Reloaded ${file}.` })
      } catch (error) {
        log.notice({ level: 'error', text: `Cannot reload ${file}:\n${(error as Error).message}` })
      }
    }
    if (!stopped) setTimeout(look, INTERVAL_MS).unref()
  }
  void look()
  return () => {
    stopped = true
  }
}

/** Returns a function that checks whether the content has changed since its last call. Reads the file only if its mtime has. */
export function changesOf(file: string): () => boolean {
  let time: number | undefined
  let content: string | undefined
  const hasChanged = () => {
    try {
      const { mtimeMs } = statSync(file)
      if (mtimeMs === time) return false
      const before = content
      content = hash('sha256', readBytesOf(file, MAX_DOCUMENT_MB))
      time = mtimeMs
      return content !== before
    } catch {
      // The file is missing while an editor replaces it, or locked on Windows while an editor writes it.
      return false
    }
  }
  hasChanged()
  return hasChanged
}
