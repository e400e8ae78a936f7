export { FileInUse } from './lock.ts'
export { DamagedFile } from './log-file.ts'
export { FileStore, type Store } from './store.ts'
export { TemporaryStore } from './temporary.ts'
