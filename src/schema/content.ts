/**
 * What the texts of a field are about. It decides whether a copy of an account may have them, and what becomes of them
 * where nobody should recognise it. A field without one is not copied.
 *
 * - `secret`: it opens something. Never copied.
 * - `text`: people write anything there, secrets too. Copied only if that is asked for.
 * - `url`: it may have a password or a secret query beside its host.
 * - `certificate`: a certificate or a public key, in which names are.
 * - `personal`: it tells of a person, and nothing follows from it.
 * - `plain`: a word of the service or of a program, a time, a version: it tells nothing of anybody.
 */
export type Content =
  | 'secret'
  | 'text'
  | 'id'
  | 'name'
  | 'host'
  | 'url'
  | 'address'
  | 'email'
  | 'certificate'
  | 'personal'
  | 'plain'

/** One of some words, a time, a number, true or false; or a list or an object of such. */
export function hasOnlyKnownWords({
  type,
  enum: words,
  format,
  items,
  additionalProperties,
}: Record<string, unknown>): boolean {
  if (words !== undefined || format === 'date-time' || ['boolean', 'integer', 'number'].includes(type as string))
    return true
  const each = type === 'array' ? items : type === 'object' ? additionalProperties : undefined
  return typeof each === 'object' && each !== null && hasOnlyKnownWords(each as Record<string, unknown>)
}
