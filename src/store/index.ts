export { whyUnusable } from './disk-errors.ts'
export type { FileCalls } from './file-calls.ts'
export { openStore } from './open-store.ts'
export { attachStore, countRecords, describeDatabase } from './resume.ts'
