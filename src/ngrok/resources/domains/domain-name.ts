import { type Mismatch, textShape, type ValueError } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { vendorHosts } from '../../vendor.ts'

/** Top-level domains without public DNS (RFC 6761, RFC 6762, RFC 9476 and the private `internal`). */
const PRIVATE_TLDS = ['alt', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']

const MAX_NAME_LENGTH = 253
const MAX_PART_LENGTH = 63

/** The first problem, in the order of the vendor's error numbers. */
function findProblem(domain: string): Mismatch | undefined {
  const wrongLetter = /[^A-Za-z0-9.*-]/u.exec(domain)?.[0]
  if (wrongLetter === '_') return { error: errors.domain_underscore, expected: 'a name without underscores' }
  if (wrongLetter !== undefined)
    return {
      error: errors.domain_letter,
      expected: `a name of a-z, 0-9, -, . and a leading *, without "${wrongLetter}"`,
    }
  if (domain.length > MAX_NAME_LENGTH)
    return {
      error: errors.domain_too_long,
      expected: `a name of up to ${MAX_NAME_LENGTH} characters`,
      received: `${domain.length}`,
    }
  if (domain.includes('..')) return { error: errors.domain_periods, expected: 'a name without two periods in a row' }
  const parts = domain.split('.')
  if (parts.length < 2 || parts.every(part => /^\d+$/.test(part)))
    return { error: errors.domain_not_qualified, expected: 'a fully qualified name like app.example.com' }
  for (const [i, part] of parts.entries()) {
    const problem = findPartProblem(part, i)
    if (problem) return problem
  }
  const tld = parts.at(-1)!.toLowerCase()
  return PRIVATE_TLDS.includes(tld)
    ? { error: errors.domain_private, expected: `a name that is reachable over the internet, not below .${tld}` }
    : undefined
}

function findPartProblem(part: string, i: number): Mismatch | undefined {
  if (part.includes('*') && i > 0)
    return { error: errors.domain_inner_wildcard, expected: 'a name with a * as its first part only' }
  if (part.includes('*'))
    return part === '*'
      ? undefined
      : { error: errors.domain_partial_wildcard, expected: 'a name without *, or with a single * as the first part' }
  if (part.length > MAX_PART_LENGTH)
    return { error: errors.domain_part_too_long, expected: `a name with parts of up to ${MAX_PART_LENGTH} characters` }
  if (!/^[A-Za-z0-9]/.test(part))
    return { error: errors.domain_part_start, expected: 'a name with parts that begin with a letter or a digit' }
  if (part.endsWith('-'))
    return { error: errors.domain_part_end, expected: 'a name with parts that end with a letter or a digit' }
  if (/^..--/.test(part) && !/^xn--/i.test(part))
    return {
      error: errors.domain_hyphens,
      expected: 'a name without "--" in the third place of a part, except after "xn"',
    }
  return undefined
}

/** A domain name, or a wildcard for all names of one more part. */
export const domainName = textShape({ examples: ['app.example.com'] }, findProblem)

/** A name without a wildcard. As in a published response, it may have a single part. All problems are one error. */
export const plainName = (error: ValueError) =>
  textShape({ examples: ['connect.example.com'] }, name => {
    const problem = name.includes('*')
      ? { expected: 'a name without *' }
      : findProblem(name.includes('.') ? name : `${name}.example`)
    return problem && { ...problem, error }
  })

export const isWildcard = (domain: string) => domain.startsWith('*.')

/** Whether the name is below one of the vendor's domains. */
export const isVendors = (domain: string, vendor: string) =>
  vendorHosts(vendor).suffixes.some(suffix => domain.toLowerCase().endsWith(`.${suffix}`))

/** The domain names that can cover a host, the closest first. */
export const coveringNames = (host: string) => [host, host.replace(/^[^.]+/, '*')]
