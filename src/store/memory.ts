import type { Store } from './store.ts'

/** Keeps nothing: the state lives as long as the process. */
export class MemoryStore implements Store {
  readonly bytes = 0

  async load() {
    return undefined
  }
  async attach() {}
  append() {}
  async close() {}
}
