import { vi } from 'vitest'

/** Asks again until what it does succeeds. The limit only ends what would never do so: machines may be busy. */
export const eventually = <T>(ask: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(ask, { timeout: 45_000, interval: 10 })
