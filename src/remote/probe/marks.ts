import { randomBytes } from 'node:crypto'

const WORD = 'edgesim_probe_'
const RUN = /[0-9a-f]{16}/
const DIGITS = 4

/** Of every mark. */
export const MARK_LENGTH = WORD.length + 16 + 1 + DIGITS

/** Nobody can guess it, and it may be part of a host name. */
export const newRun = () => randomBytes(8).toString('hex')
export const isRun = (text: unknown) => typeof text === 'string' && new RegExp(`^${RUN.source}$`).test(text)

/** What the nth thing that a run makes has in its metadata. */
export const markOf = (run: string, n: number) => `${WORD}${run}_${String(n).padStart(DIGITS, '0')}`
export const isMark = (text: unknown): text is string =>
  typeof text === 'string' && new RegExp(`^${WORD}${RUN.source}_\\d{${DIGITS},}$`).test(text)
