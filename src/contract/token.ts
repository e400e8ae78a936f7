import { hash } from 'node:crypto'

/** What the part of a token before `~` is made of. */
const ALPHABET = 'A-Za-z0-9_.-'
/** As a fixture may give it. */
export const SECRET = new RegExp(`^[${ALPHABET}]{1,128}$`)
/** As a request may send it. */
const LIKE_SECRET = new RegExp(`^[${ALPHABET}]+$`)
export const looksLikeSecret = (text: string) => LIKE_SECRET.test(text)

/** Also with blanks around it: HTTP takes them away, but what somebody is about to send may have them. */
const bearer = (what: string) => new RegExp(`^[ \\t]*bearer +(${what})[ \\t]*$`, 'i')
const BEARER = bearer('\\S+')
const BEARER_PHRASE = bearer('\\S(?:.*\\S)?')

/** The bearer token in an Authorization header, if that is what it holds. Nobody else may read one. */
export const bearerOf = (header: string | undefined) => BEARER.exec(header ?? '')?.[1]
/** The same for a control token, which may have blanks in it. */
export const phraseOf = (header: string | undefined) => BEARER_PHRASE.exec(header ?? '')?.[1]

export interface Token {
  /** What the stored hash covers. */
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

/** Only this is kept of a token. */
export const hashToken = (secret: string) => hash('sha256', secret)
