/**
 * The real time and the real timers. A test in the same process may replace the globals by fakes; what is exported here
 * was taken when this module was loaded.
 */
export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'

/** The same as that of `node:perf_hooks`, which takes 3 ms to load. */
export const { performance } = globalThis

/** Milliseconds since 1970. */
export const wallClock = Date.now
