import { flag, integer, type ValueError, value } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'
import { MODULE_LIMITS, upTo, YEAR_SECONDS } from './limits.ts'

const COOKIE_PREFIX = /^[A-Za-z0-9.]*$/

interface Errors {
  badCookiePrefix?: ValueError
  longCookiePrefix?: ValueError
  longSession?: ValueError
}

const seconds = (describe: string, above?: ValueError) =>
  value(integer({ minimum: 0, maximum: YEAR_SECONDS }, { above }), { default: 0, describe })

/** The session fields of OAuth, OpenID Connect and SAML. */
export const sessionFields = ({ badCookiePrefix, longCookiePrefix, longSession }: Errors = {}) => ({
  enabled: flag({ default: true }),
  options_passthrough: flag({ default: false }),
  cookie_prefix: value(
    upTo(MODULE_LIMITS.entryBytes, {
      tooLong: longCookiePrefix,
      check: prefix =>
        COOKIE_PREFIX.test(prefix) ? undefined : { error: badCookiePrefix, expected: 'letters, digits and periods' },
    }),
    { default: '', content: 'name', describe: 'Letters, digits and periods' },
  ),
  inactivity_timeout: seconds('Seconds, 0 for none', errors.long_inactivity),
  maximum_duration: seconds('Seconds, 0 for none', longSession),
})

/** A route may have only one of these modules. */
export const SIGN_IN = ['oauth', 'oidc', 'saml'] as const
