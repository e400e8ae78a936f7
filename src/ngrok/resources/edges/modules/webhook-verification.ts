import { createPublicKey } from 'node:crypto'
import { nearest } from '../../../../basics/nearest.ts'
import { flag, module, textShape, value } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'
import { MODULE_LIMITS, upTo } from './limits.ts'
import { WEBHOOK_PROVIDERS } from './webhook-providers.ts'

const provider = textShape({ examples: ['github'] }, given => {
  const name = given.toLowerCase()
  if (WEBHOOK_PROVIDERS.includes(name)) return undefined
  const expected = `one of ${WEBHOOK_PROVIDERS.join(', ')}`
  return { error: errors.unknown_webhook_provider, expected, near: nearest(name, WEBHOOK_PROVIDERS) }
})

export const webhookVerificationModule = module({
  key: 'webhook_verification',
  label: 'webhook verification module',
  of: { https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    provider: value(provider, {
      required: errors.no_webhook_provider,
      content: 'plain',
      describe: 'Case-insensitive provider name, such as github',
    }),
    secret: value(
      upTo(MODULE_LIMITS.secretBytes, { tooLong: errors.webhook_secret_too_long, examples: ['not-a-real-secret'] }),
      {
        default: '',
        content: 'secret',
        describe: 'Required, except for sns (for sendgrid, an ECDSA public key in base64)',
      },
    ),
  },
  check({ provider: given, secret }, at, { fail }) {
    const name = given.toLowerCase()
    const field = `${at}secret`
    if (name === 'sns' && secret !== '') fail(errors.webhook_secret_of_sns, { field })
    if (name !== 'sns' && secret === '') fail(errors.no_webhook_secret, { field, provider: given })
    if (name === 'sendgrid' && !isEcdsaKey(secret)) fail(errors.bad_sendgrid_key, { field })
  },
})

function isEcdsaKey(base64: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}
