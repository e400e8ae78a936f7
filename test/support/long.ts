/** True in `npm run test:long`, which runs every case. */
export const LONG = process.env.EDGESIM_LONG === '1'

/** False in `npm test`, which skips the cases of `npm run test:all`. */
export const ALL = LONG || process.env.EDGESIM_ALL === '1'

export const LONG_MS = LONG ? 600_000 : 300_000

/** For Vitest in a child process: a busy machine exceeds its default of 5 s. */
export const PATIENT = ['--testTimeout=300000', '--hookTimeout=300000']

/** Number of cases: `few` in `npm run test:all`, a third of it in `npm test`, `all` in `npm run test:long`. */
export const samples = (few: number, all: number) => (LONG ? all : ALL ? few : Math.ceil(few / 3))
