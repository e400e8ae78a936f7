/**
 * The real time and the real timers. A test in the same process may replace the globals by fakes; what is exported here
 * was taken when this module was loaded.
 */
export { performance } from 'node:perf_hooks'
export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'

/** Milliseconds since 1970. */
export const wallClock = Date.now
