/** Characters that terminals act on, that end a line, or that turn the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A text from outside as a person can read it: it does nothing to the terminal, and stays in its line. */
export const printable = (text: string) =>
  text.replace(ACTIVE, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of several lines. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n')
