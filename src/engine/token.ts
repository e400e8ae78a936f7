import { hash } from 'node:crypto'

/** Allows spaces at both ends. HTTP strips them, but a header to be sent may have them. */
const bearer = (what: string) => new RegExp(`^[ \\t]*bearer +(${what})[ \\t]*$`, 'i')
const BEARER = bearer('\\S+')
const CONTROL_BEARER = bearer('\\S(?:.*\\S)?')

/** The control token in an Authorization header. It can contain spaces. */
export const controlTokenOf = (header: string | undefined) => CONTROL_BEARER.exec(header ?? '')?.[1]
/** The API key token in an Authorization header: the Bearer token, or the Basic password. */
export const tokenOf = (header = '') => BEARER.exec(header)?.[1] ?? (passwordOf(header) || undefined)

/** RFC 7617, with base64 padding. */
const BASIC = /^[ \t]*basic +((?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?)[ \t]*$/i

/** The name before the colon and the password after it. Without a colon, only the name. */
export function readBasic(header: string): [name: string, password?: string] | undefined {
  const encoded = BASIC.exec(header)?.[1]
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

const passwordOf = (header: string) => readBasic(header)?.[1]

/** The header with another token. */
export function replaceToken(header: string, token: string): string {
  const basic = readBasic(header)
  return basic ? `Basic ${Buffer.from(`${basic[0]}:${token}`).toString('base64')}` : `Bearer ${token}`
}

export interface Token {
  /** Only its hash is stored. */
  secret: string
  /** The sandbox. */
  name: string
}

/** `sim_admin~checkout-7` acts in the sandbox `checkout-7`. Without a tilde, the sandbox is `default`. */
export function splitToken(token: string): Token {
  const at = token.indexOf('~')
  return at < 0 ? { secret: token, name: 'default' } : { secret: token.slice(0, at), name: token.slice(at + 1) }
}

/** Parses the token in a header. Caches the last one, because parsing takes 3 µs and most requests repeat it. */
export function tokenReader(): (header: string | undefined) => { authorization?: string; token?: Token } {
  let latest: { authorization?: string; token?: Token } = {}
  return authorization => {
    if (authorization !== latest.authorization) {
      const given = tokenOf(authorization)
      latest = { authorization, token: given === undefined ? undefined : splitToken(given) }
    }
    return latest
  }
}

export const joinToken = ({ secret, name }: Token) => (name === 'default' ? secret : `${secret}~${name}`)

export const hashToken = (secret: string) => hash('sha256', secret)
