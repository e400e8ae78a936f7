import { domainToUnicode } from 'node:url'
import type { Mismatch, ValueError } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'

const DOMAIN = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/i
const LOCAL_PART = /^[^\s@]{1,64}$/
const TEAM = /^(\d+|[\w.-]+\/[\w.-]+)$/

interface Errors {
  upperCase: ValueError
  bad: ValueError
  punycode: ValueError
}

/** Whether a part is in invalid punycode. Some versions of Node decode that to nothing, others to itself. */
const hasBadPunycode = (domain: string) =>
  domain.split('.').some(part => part.startsWith('xn--') && /^\p{ASCII}*$/u.test(domainToUnicode(part)))

/** Checks the domain of an entry. */
function findProblem(text: string, domain: string, { upperCase, bad, punycode }: Errors, example: string) {
  if (text !== text.toLowerCase()) return { error: upperCase, expected: 'in lower case', near: text.toLowerCase() }
  if (!DOMAIN.test(domain)) return { error: bad, expected: `like ${example}` }
  return hasBadPunycode(domain)
    ? { error: punycode, expected: 'valid punycode where a part begins with xn--' }
    : undefined
}

export const checkDomain = (text: string): Mismatch | undefined =>
  findProblem(
    text,
    text,
    { upperCase: errors.oauth_domain_upper_case, bad: errors.bad_oauth_domain, punycode: errors.oauth_domain_punycode },
    'example.com',
  )

export function checkEmail(text: string): Mismatch | undefined {
  const at = text.lastIndexOf('@')
  const domain = LOCAL_PART.test(text.slice(0, Math.max(at, 0))) ? text.slice(at + 1) : ''
  return findProblem(
    text,
    domain,
    { upperCase: errors.oauth_email_upper_case, bad: errors.bad_oauth_email, punycode: errors.oauth_email_punycode },
    'alan@example.com',
  )
}

export const checkTeam = (team: string): Mismatch | undefined =>
  TEAM.test(team) ? undefined : { error: errors.bad_github_team, expected: 'a number, or like organization/team' }
