/**
 * Time as it really is. A test may have put fake timers in the place of the globals, in the process that the library runs
 * in; what stands here is taken when it is loaded.
 */
export { performance } from 'node:perf_hooks'
export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'

/** In milliseconds since 1970. */
export const wallClock = Date.now
