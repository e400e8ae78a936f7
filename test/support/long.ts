/** True in `npm run test:long`, where tests do all of what they do a part of in `npm test`. */
export const LONG = process.env.EDGESIM_LONG === '1'

/** The time limit of tests that do more there. */
export const LONG_MS = LONG ? 600_000 : 60_000

/** How many are tried: few in `npm test`, all in `npm run test:long`. */
export const samples = (few: number, all: number) => (LONG ? all : few)
