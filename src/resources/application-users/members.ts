import {
  type Content,
  formatTime,
  generated,
  parseTime,
  textShape,
  timestamp,
  toStoredTime,
  upToLatest,
  value,
} from '../../schema/index.ts'

/** A text that a fixture may leave out. */
export const optionalText = (content: Content) => value(textShape(), { default: '', content })

/** A time that a fixture may leave out: then it is so long after the record was made. */
export const time = (after = 0) =>
  generated(({ at }) => formatTime(upToLatest(parseTime(at)! + after)), {
    shape: timestamp(),
    normalise: given => toStoredTime(given as string),
  })
