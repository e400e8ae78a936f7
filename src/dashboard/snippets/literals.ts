/** Characters that are invalid in literals, end a line, or are invisible. */
const UNSAFE = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu
const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** The code of a character as a hexadecimal number. */
export const hex = (char: string, digits = 2) => char.charCodeAt(0).toString(16).padStart(digits, '0')

/** Lone surrogates are sent as U+FFFD. */
const escapeUnsafe = (char: string) => NAMED[char] ?? `\\u${/\p{Cs}/u.test(char) ? 'fffd' : hex(char, 4)}`

const escaped = (text: string, quote: string) =>
  text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replace(UNSAFE, escapeUnsafe)

/** A string of JavaScript or Python. */
export const quoted = (text: string) => `'${escaped(text, "'")}'`

/** Text in a template literal of JavaScript. */
export const inTemplate = (text: string) => escaped(text, '`').replaceAll('${', '\\${')

/** A string of Go, raw if that avoids escapes. */
export function goString(text: string): string {
  const isRaw = /["\\\n]/.test(text) && text.replace(/[\n\t]/g, '').search(UNSAFE) < 0 && !text.includes('`')
  return isRaw ? `\`${text}\`` : `"${escaped(text, '"')}"`
}

/** A string of Go, from characters that are bytes. */
export const goBytes = (bytes: string) =>
  `"${bytes.replace(/["\\]/g, '\\$&').replace(/[^ -~]/g, byte => `\\x${hex(byte)}`)}"`
