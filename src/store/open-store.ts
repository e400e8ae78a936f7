import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SimulatorError } from '../contract/simulator-error.ts'
import { FileStore, type FileStoreOptions } from './file-store.ts'
import type { Store } from './store.ts'
import { TemporaryStore } from './temporary.ts'

/** A store in the given file, or one that ends with the process. */
export function openStore(db: string | undefined, fixture: string | undefined, options: FileStoreOptions): Store {
  if (db === undefined) return new TemporaryStore(options)
  checkNotFixture(db, fixture)
  return new FileStore(realFile(db), options)
}

/** The file that a link leads to: its lock and its log are beside it. */
function realFile(file: string): string {
  try {
    return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
  } catch {
    return file
  }
}

/** A fixture is never written to. */
function checkNotFixture(db: string, fixture: string | undefined) {
  if (fixture === undefined || !existsSync(db) || !existsSync(fixture)) return
  if (realpathSync(db) !== realpathSync(fixture)) return
  throw new SimulatorError(
    'DATABASE_IS_FIXTURE',
    `--db and the fixture are the same file, ${fixture}, and a fixture is never written to. Give --db another file: it is created from the fixture.`,
  )
}
