/**
 * The content of a field. `edgesim import` uses it to decide whether to copy a value, and how to anonymise it. A field
 * without content is not copied.
 *
 * - `secret`: never copied.
 * - `text`: free text, which may contain secrets. Copied only with `--keep-texts`.
 * - `url`: may contain a password or a secret query.
 * - `certificate`: a certificate or public key, which contains names.
 * - `personal`: personal data that no other value depends on.
 * - `plain`: a service or client term, a time or a version, without personal data.
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
