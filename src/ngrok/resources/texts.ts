import { text as anyText, type Field, type ValueError } from '../../engine/language/index.ts'

/** Free text. An empty string means unset, and responses omit it. */
export const text = (maxBytes: number, tooLong?: ValueError): Field<string | undefined> => ({
  ...anyText(maxBytes, tooLong),
  omittedWhenEmpty: true,
})

/** The fields of nearly every resource, with specific errors for long values. */
export const described = (tooLong: { description?: ValueError; metadata?: ValueError } = {}) => ({
  description: text(255, tooLong.description),
  metadata: text(4096, tooLong.metadata),
})
