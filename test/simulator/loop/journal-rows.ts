import { type Baseline, type Group, LONGEST_SEARCH, type Row } from './row.ts'

const FULL = 1_000

/** A full journal of small requests, and of requests of 60 KB up to 16 MB. */
const rows = ({ send }: Baseline): Row[] => {
  const verify = (body: object) => send('POST', '/_sim/requests/verify', { body, status: [200, 400, 409] })
  const asked = (query: string) => send('GET', `/_sim/requests?${query}`)
  const asHar = () => send('GET', '/_sim/requests.har')
  const small = `${FULL} entries`
  const fill = (body: object, status: number[]) => async () => {
    const batch = () => Promise.all(Array.from({ length: 8 }, () => send('POST', '/api_keys', { body, status })))
    for (let i = 0; i < FULL; i += 8) await batch()
  }
  const onlyOnce = (fill: () => Promise<void>) => {
    let filled: Promise<void> | undefined
    return () => {
      filled ??= fill()
      return filled
    }
  }
  const withSmall = onlyOnce(fill({ description: 'a'.repeat(250), metadata: 'a'.repeat(4_000) }, [201]))
  const withLarge = onlyOnce(fill({ description: 'a', extra: 'a'.repeat(60_000) }, [400, 201]))
  const nothing = { operation: 'create_api_key', where: { 'body.description': 'nothing' } }
  const step = { operation: 'create_api_key', where: { 'body.description': { contains: 'a' } } }
  const verifying = (what: string, expected: object, size = small): Row => ({
    what: `verify: ${what}`,
    size,
    act: () => verify(expected),
  })
  const looksFor = (pattern: string, count: number) => ({
    sequence: Array.from({ length: count }, () => ({ where: { 'body.metadata': { matches: pattern } } })),
  })
  return [
    { ...verifying('nothing matches', nothing), before: withSmall },
    verifying('a regular expression', { where: { 'body.metadata': { matches: 'b$' } } }),
    verifying('a slow regular expression', { where: { 'body.metadata': { matches: '^(a+)+b$' } } }),
    verifying('a regular expression of many states', {
      where: { 'body.metadata': { matches: '[^z]*a[^z]{90}[^az]' } },
    }),
    verifying('500 regular expressions in order', looksFor('a$', 500)),
    verifying('1,000 steps', { sequence: Array.from({ length: FULL }, () => step) }),
    { what: 'journal: 100 entries', size: small, act: () => asked('') },
    { what: 'journal: everything', size: small, act: () => asked('limit=1000') },
    { what: 'journal: as HAR', size: small, act: asHar },
    { what: 'journal: by a path of many stars', size: small, act: () => asked(`path=/api_keys/${'*a'.repeat(20)}`) },
    { ...verifying('nothing matches', nothing, '16 MB'), before: withLarge },
    verifying('contains', { where: { 'body.extra': { contains: 'aab' } } }, '16 MB'),
    verifying('a regular expression', { where: { 'body.extra': { matches: 'b$' } } }, '16 MB'),
    { what: 'journal: 100 entries', size: '6 MB', act: () => asked('') },
    { what: 'journal: everything', size: '16 MB', act: () => asked('limit=1000') },
    { what: 'journal: as HAR', size: '16 MB', act: asHar },
    { what: 'journal: unknown entry', size: '16 MB', act: () => send('GET', '/_sim/requests/op_x', { status: [404] }) },
  ]
}

export const journal: Group = { name: 'journal', rows, most: LONGEST_SEARCH }
