import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../engine/error.ts'
import { readBytes } from '../../server/http/bodies.ts'
import type { Access } from '../access/restrictions.ts'

/** A body is buffered until its signature is checked. */
export const MAX_SIGNED_BYTES = 1024 * 1024

/** The only provider with verified signatures: most others have their own schemes. */
export const VERIFIED_PROVIDER = 'github'

export interface Webhook {
  route: string
  secret: string
}

const HEADER = 'X-Hub-Signature-256'

/** Checks the signature of a request that passed so far. Also returns the body, if it was read. */
export async function checkSignature(
  { route, secret }: Webhook,
  before: Access,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<{ access: Access; body?: Buffer }> {
  const block = (why: string) => {
    const text = () => `The webhook verification module of ${route} blocks the request: ${why}.`
    const { warnings } = before
    return { access: { passes: false, decidedBy: 'webhook_verification', section: '10.9', why, text, warnings } }
  }
  const signature = /^sha256=([0-9a-f]{64})$/i.exec(String(req.headers[HEADER.toLowerCase()] ?? ''))?.[1]
  if (!signature) return block(`the header ${HEADER} is missing or not sha256= and 64 hexadecimal digits`)
  const body = await readBytes(req, res, MAX_SIGNED_BYTES).catch(error => {
    if (!(error instanceof ApiError) || error.error !== 'body_too_large') throw error
  })
  if (!body) return block(`its body is larger than ${MAX_SIGNED_BYTES / 2 ** 20} MB, the limit for verification`)
  const expected = createHmac('sha256', secret).update(body).digest()
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), expected))
    return block(`${HEADER} does not match the body and the module's secret`)
  return { access: { ...before, text: () => `${before.text()} Its webhook signature is valid.` }, body }
}
