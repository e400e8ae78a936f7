import { flag, integer, textShape, value } from '../../../schema/index.ts'

const seconds = (fallback: number) => value(integer({ minimum: 0, maximum: 31_536_000 }), { default: fallback })

/** What OAuth, OpenID Connect and SAML have in common: the session of who has signed in. */
export const sessionFields = () => ({
  enabled: flag({ default: true }),
  options_passthrough: flag({ default: false }),
  cookie_prefix: value(textShape(), { default: '' }),
  inactivity_timeout: seconds(0),
  maximum_duration: seconds(0),
})
