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
} from '../../../engine/language/index.ts'

export const optionalText = (content: Content) => value(textShape(), { default: '', content })

/** A time, by default so many milliseconds after the record was created. */
export const time = (after = 0, describe?: string) =>
  generated(({ at }) => formatTime(upToLatest(parseTime(at)! + after)), {
    shape: timestamp(),
    describe,
    normalise: toStoredTime,
  })
