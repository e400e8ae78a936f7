import { hash } from 'node:crypto'

/** The characters of a secret, which is the part of a token before `~`. */
const ALPHABET = 'A-Za-z0-9_.-'
/** A secret that a fixture may give. */
export const SECRET = new RegExp(`^[${ALPHABET}]{1,128}$`)
/** A request may send one of any length. */
const SECRET_OF_ANY_LENGTH = new RegExp(`^[${ALPHABET}]+$`)
export const looksLikeSecret = (text: string) => SECRET_OF_ANY_LENGTH.test(text)

/** Allows blanks at both ends: HTTP strips them, but a header that is yet to be sent may have them. */
const bearer = (what: string) => new RegExp(`^[ \\t]*bearer +(${what})[ \\t]*$`, 'i')
const BEARER = bearer('\\S+')
const CONTROL_BEARER = bearer('\\S(?:.*\\S)?')

/** The control token in an Authorization header, if it has one. It may contain blanks. */
export const controlTokenOf = (header: string | undefined) => CONTROL_BEARER.exec(header ?? '')?.[1]
/** The same for the token of an API key: that of Bearer, or the password of Basic. Only this file reads the header. */
export const tokenOf = (header = '') => BEARER.exec(header)?.[1] ?? (passwordOf(header) || undefined)

/** As in RFC 7617, where base64 has its padding. */
const BASIC = /^[ \t]*basic +((?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?)[ \t]*$/i

/** The name before the colon and the password after it; without a colon, the name alone. */
function readBasic(header: string): [name: string, password?: string] | undefined {
  const encoded = BASIC.exec(header)?.[1]
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

const passwordOf = (header: string) => readBasic(header)?.[1]

/** The header with another token in place of its own. */
export function replaceToken(header: string, token: string): string {
  const basic = readBasic(header)
  return basic ? `Basic ${Buffer.from(`${basic[0]}:${token}`).toString('base64')}` : `Bearer ${token}`
}

/** Why a header has no token. Repeats only known schemes: a token sent without one must not get into the journal. */
export function whyNoToken(header: string): string {
  const [, scheme, rest] = /^(Basic|Digest|Negotiate|Token|ApiKey|Bearer)\b(.*)$/i.exec(header.trim()) ?? []
  if (scheme?.toLowerCase() !== 'basic') return `it starts with ${scheme ? JSON.stringify(scheme) : 'something else'}`
  if (!rest) return 'it is "Basic" without anything after it'
  const basic = readBasic(header)
  if (!basic) return 'what follows "Basic" is not base64'
  return `what follows "Basic" ${basic[1] === '' ? 'has an empty password' : 'has no colon before the password'}`
}

export interface Token {
  /** Only the hash of it is stored. */
  secret: string
  /** The sandbox it acts in. */
  name: string
}

/** `sim_admin~checkout-7` acts in the sandbox `checkout-7`; without a tilde, in `default`. */
export function splitToken(token: string): Token {
  const at = token.indexOf('~')
  return at < 0 ? { secret: token, name: 'default' } : { secret: token.slice(0, at), name: token.slice(at + 1) }
}

/** Reads the token of a header. Most requests have the same header as the one before, and to read it takes 3 µs. */
export function tokenReader(): (header: string | undefined) => Token | undefined {
  let latest: { header?: string; token?: Token } = {}
  return header => {
    if (header !== latest.header) {
      const given = tokenOf(header)
      latest = { header, token: given === undefined ? undefined : splitToken(given) }
    }
    return latest.token
  }
}

export const joinToken = ({ secret, name }: Token) => (name === 'default' ? secret : `${secret}~${name}`)

export const hashToken = (secret: string) => hash('sha256', secret)
