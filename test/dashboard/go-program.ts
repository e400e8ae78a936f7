/** A string of Go, with the escapes that Go knows. */
const STRING = String.raw`"(?:[^"\\\n]|\\(?:["\\nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}))*"|${'`[^`]*`'}`
const REQUEST = new RegExp(
  String.raw`^\trequest, _ := http\.NewRequest\((${STRING}), (${STRING}), (?:nil|strings\.NewReader\((${STRING})\))\)$`,
  'm',
)
const HEADER = new RegExp(String.raw`^\trequest\.Header\.Set\((${STRING}), (${STRING})\)$`, 'gm')
const OPAQUE = new RegExp(String.raw`^\trequest\.URL\.Opaque = (${STRING})$`, 'm')

function bytesOf(literal: string): Buffer {
  const content = literal.slice(1, -1)
  if (literal.startsWith('`')) return Buffer.from(content)
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t' }
  return Buffer.concat(
    Array.from(content.matchAll(/\\x(..)|\\u(....)|\\(.)|[^\\]+/g), ([plain, byte, code, char]) => {
      if (byte) return Buffer.from(byte, 'hex')
      if (code && /^d[89a-f]/.test(code)) throw new Error(`Go strings have no surrogates: ${literal}`)
      return Buffer.from(code ? String.fromCharCode(Number.parseInt(code, 16)) : char ? (named[char] ?? char) : plain)
    }),
  )
}

/** A request to send. */
export interface Read {
  origin: string
  method: string
  /** With its query. */
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** The request of a Go program, read as Go does. */
export function readGo(program: string): Read {
  if (/[\0\r\ufeff]/.test(program)) throw new Error('Go drops or rejects NUL, CR and BOM')
  const [, method, target, body] = REQUEST.exec(program)!
  const url = bytesOf(target!).toString()
  const { origin } = new URL(url)
  const opaque = OPAQUE.exec(program)?.[1]
  const headers = Array.from(program.matchAll(HEADER), ([, name, value]) => [name!, value!].map(read))
  return {
    origin,
    method: read(method!),
    path: opaque ? read(opaque) : url.slice(origin.length),
    headers: Object.fromEntries(headers),
    body: body && bytesOf(body),
  }
}

const read = (literal: string) => bytesOf(literal).toString('latin1')
