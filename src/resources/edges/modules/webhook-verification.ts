import { flag, module, textShape, value } from '../../../schema/index.ts'

/** Only requests that a provider of webhooks has signed may pass. docs/api.md 10.9. */
export const webhookVerificationModule = module({
  key: 'webhook_verification',
  label: 'webhook verification module',
  of: { https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    provider: value(textShape({ examples: ['github'] }), { required: 'invalid_value' }),
    secret: value(textShape(), { default: '' }),
  },
})
