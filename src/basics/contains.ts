/** Up to this length V8 is quick whatever it looks for, and quicker than we are. */
const SHORT = 255

/** As `text.includes(sought)`, which may take as long as both lengths multiplied; this takes as long as both added. */
export function contains(text: string, sought: string): boolean {
  if (sought.length <= SHORT || sought.length > text.length) return text.includes(sought)
  // Knuth, Morris and Pratt: how much of the beginning is still there when the next character does not fit.
  const kept = new Int32Array(sought.length)
  const extend = (length: number, next: number) => {
    let fits = length
    while (fits > 0 && sought.charCodeAt(fits) !== next) fits = kept[fits - 1]!
    return sought.charCodeAt(fits) === next ? fits + 1 : 0
  }
  for (let i = 1; i < sought.length; i++) kept[i] = extend(kept[i - 1]!, sought.charCodeAt(i))
  let found = 0
  for (let i = 0; i < text.length && found < sought.length; i++) found = extend(found, text.charCodeAt(i))
  return found === sought.length
}
