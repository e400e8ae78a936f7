import { readlinkSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { nanoid } from 'nanoid'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { FileStore, type FileStoreOptions } from './file-store.ts'

/** Opens a store in the given file, or in a temporary one. A fixture is never written. */
export function openStore(db: string | undefined, fixture: string | undefined, options: FileStoreOptions): FileStore {
  if (db === undefined) {
    const folder = join(tmpdir(), `edgesim-${process.pid}-${nanoid(6)}`)
    return new FileStore(join(folder, 'db.json'), { ...options, durability: 'log', temporary: true })
  }
  const file = realFile(db)
  if (fixture === undefined || file !== realFile(fixture)) return new FileStore(file, options)
  throw new SimulatorError(
    'DATABASE_IS_FIXTURE',
    `--db and the fixture are the same file: ${fixture}. Fixtures are never written. Set --db to another file, which is created from the fixture.`,
  )
}

/** Resolves links, even to a file that does not exist yet, because the lock and the log are next to the real file. */
function realFile(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return file
  }
  const target = linkTarget(file)
  if (target !== undefined) return realFile(resolve(dirname(file), target))
  try {
    return join(realpathSync(dirname(file)), basename(file))
  } catch {
    return file
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}
