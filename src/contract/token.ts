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

/** The bearer token in an Authorization header, if it has one. All other code must use this to read it. */
export const bearerOf = (header: string | undefined) => BEARER.exec(header ?? '')?.[1]
/** The same for a control token, which may contain blanks. */
export const controlTokenOf = (header: string | undefined) => CONTROL_BEARER.exec(header ?? '')?.[1]

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

export const joinToken = ({ secret, name }: Token) => (name === 'default' ? secret : `${secret}~${name}`)

export const hashToken = (secret: string) => hash('sha256', secret)
