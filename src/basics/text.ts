/** `1 rule`, `2 rules` */
export const counted = (count: number, noun: string) => `${count} ${count === 1 ? noun : pluralOf(noun)}`

/** `API keys`, `IP policies`, `reserved addresses` */
export const pluralOf = (noun: string) => `${noun.replace(/(?<![aeo])y$/, 'ie').replace(/(?<=s|x|ch)$/, 'e')}s`

/** `an API key`, `an HTTPS edge`, `a TCP edge` */
export const withArticle = (noun: string) => `${/^([AEIOaeio]|H[A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`

/** `a`, `a or b`, `a, b or c` */
export const anyOf = (names: readonly string[]) => names.join(', ').replace(/, (?=[^,]*$)/, ' or ')

/** Control characters, line breaks, and marks that change the text direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Escapes untrusted text, which then cannot control the terminal or start a new line. */
export const printable = (text: string) =>
  text.replace(ACTIVE, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Like `printable`, but preserves line breaks. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML or XML. */
export const escapeMarkup = (text: string) => text.replace(/[&<>"']/g, sign => ENTITIES[sign]!)

/** Up to this length, V8's search is fast for any input. */
const SHORT = 255

/** Like `text.includes(sought)`, but in time linear in the sum of the lengths, not in their product. */
export function contains(text: string, sought: string): boolean {
  if (sought.length <= SHORT || sought.length > text.length) return text.includes(sought)
  // Knuth-Morris-Pratt: for each prefix of `sought`, the length of its longest proper prefix that is also its suffix.
  const borders = new Int32Array(sought.length)
  const extend = (length: number, next: number) => {
    let matched = length
    while (matched > 0 && sought.charCodeAt(matched) !== next) matched = borders[matched - 1]!
    return sought.charCodeAt(matched) === next ? matched + 1 : 0
  }
  for (let i = 1; i < sought.length; i++) borders[i] = extend(borders[i - 1]!, sought.charCodeAt(i))
  let matched = 0
  for (let i = 0; i < text.length && matched < sought.length; i++) matched = extend(matched, text.charCodeAt(i))
  return matched === sought.length
}

/** A line that sets a variable in a POSIX shell. Escapes the value. */
export function shellExport(name: string, value: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`Invalid variable name ${JSON.stringify(name)}`)
  return `export ${name}='${value.replaceAll("'", `'\\''`)}'`
}

export const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Ignores the ends of sentences in quoted values. */
export const firstSentence = (text: string) => /^(?:"(?:\\.|[^"\\])*"|[^"])*?[.?!](?=\s)/.exec(text)?.[0] ?? text
