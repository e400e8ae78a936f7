import {
  formatTime,
  type Holds,
  made,
  parseTime,
  textShape,
  timestamp,
  toStoredTime,
  upToLatest,
  value,
} from '../../schema/index.ts'

/** A text that a fixture may leave out. */
export const optionalText = (holds: Holds) => value(textShape(), { default: '', holds })

/** A time that a fixture may leave out: then it is so long after the record was made. */
export const time = (after = 0) =>
  made(({ at }) => formatTime(upToLatest(parseTime(at)! + after)), {
    shape: timestamp(),
    normalise: given => toStoredTime(given as string),
  })
