import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../contract/errors.ts'
import { readBytes } from '../http/bodies.ts'
import type { Access } from '../state/index.ts'

/** A body is kept until its signature is checked. */
export const MAX_SIGNED_BYTES = 1024 * 1024

/** The one whose signatures are checked: most others sign in ways of their own. */
export const VERIFIED_PROVIDER = 'github'

export interface Webhook {
  route: string
  secret: string
}

const HEADER = 'X-Hub-Signature-256'

/** Whether a request that passed before is signed, and its body, if that was read. */
export async function checkSignature(
  { route, secret }: Webhook,
  before: Access,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<{ access: Access; body?: Buffer }> {
  const refused = (why: string) => {
    const text = () => `The webhook verification module of ${route} refuses the request: ${why}.`
    const { warnings } = before
    return { access: { passes: false, decidedBy: 'webhook_verification', section: '10.9', why, text, warnings } }
  }
  const signature = /^sha256=([0-9a-f]{64})$/i.exec(String(req.headers[HEADER.toLowerCase()] ?? ''))?.[1]
  if (!signature) return refused(`it has no header ${HEADER}: sha256= and 64 hexadecimal digits`)
  const body = await readBytes(req, res, MAX_SIGNED_BYTES).catch(error => {
    if (!(error instanceof ApiError) || error.error !== 'body_too_large') throw error
  })
  if (!body) return refused(`its body is larger than ${MAX_SIGNED_BYTES / 2 ** 20} MB, the most that is checked`)
  const expected = createHmac('sha256', secret).update(body).digest()
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), expected))
    return refused(`${HEADER} is not the signature of its body with the secret of the module`)
  return { access: { ...before, text: () => `${before.text()} Its webhook signature is valid.` }, body }
}
