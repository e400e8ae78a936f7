/** True in `npm run test:long`, where tests do all of what they do a part of elsewhere. */
export const LONG = process.env.EDGESIM_LONG === '1'

/** False in `npm test`, which leaves out what `npm run test:all` runs. */
export const ALL = LONG || process.env.EDGESIM_ALL === '1'

/** The time limit of tests that do more in `npm run test:long`. */
export const LONG_MS = LONG ? 600_000 : 300_000

/** For vitest as a process of a test: a starved machine reaches its limit of 5 s. */
export const PATIENT = ['--testTimeout=300000', '--hookTimeout=300000']

/** How many are tried: few in `npm run test:all`, a third of them in `npm test`, all in `npm run test:long`. */
export const samples = (few: number, all: number) => (LONG ? all : ALL ? few : Math.ceil(few / 3))
