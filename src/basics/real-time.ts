/**
 * The real time and timers. A test in the same process may replace the globals with fakes; these exports are read when
 * this module is loaded.
 */
export { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'

/** The same object as in `node:perf_hooks`, which takes 3 ms to load. */
export const { performance } = globalThis

/** Milliseconds since 1970. */
export const wallClock = Date.now
