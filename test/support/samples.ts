import { LONG } from './long.ts'

/** How many are tried: few in `npm test`, all in `npm run test:long`. Such a file is quick enough for `test:quick`. */
export const samples = (few: number, all: number) => (LONG ? all : few)
