import { type Baseline, type Group, LARGE_SCENARIO, LONGEST_BODY, manyKeys, type Row } from './row.ts'

/** Scenarios with long strings, many rules and slow paths, and the API descriptions. */
const rows = ({ send, keys }: Baseline): Row[] => {
  const put = (body: object) => send('PUT', '/_sim/scenario', { body, status: [200, 400] })
  const call = () => send('GET', '/api_keys/ak_many_1')
  const latency = '1ms'
  const large = (what: string, act: Row['act']): Row => ({ what, size: `${keys} keys`, act, bound: LARGE_SCENARIO })
  const rules = (count: number, rule: (i: number) => object) => ({
    rules: Array.from({ length: count }, (_, i) => rule(i)),
  })
  const many = rules(1_000, i => ({ when: { operation: 'get_api_key', calls: i + 1000 }, latency }))
  const paths = rules(1_000, i => ({
    when: { path: Array.from({ length: 5 }, (_, k) => `/api_keys/ak_${i}_${k}*`) },
    latency,
  }))
  /** As long as a body allows. Lists and rules have the most words, so they are shorter. */
  const text = (name: string, kb: number, line: (i: number) => string, [before, after] = ['', '']): Row => {
    let text = before
    for (let i = 0; text.length < kb * 1024 - 200; i++) text += line(i)
    return { what: `YAML: ${name}`, size: `${kb} KB`, act: () => put({ yaml: text + after }), most: LONGEST_BODY }
  }
  const rule = (i: number) =>
    `  - { name: rule ${i}, when: { operation: get_api_key, calls: ${i + 1000} }, latency: 1ms }\n`
  const everyKey = [', changed', ', changed again'].map(mark => {
    const { api_keys } = JSON.parse(manyKeys(keys, mark).toString())
    return Buffer.from(JSON.stringify({ state: { api_keys } }))
  })
  const slowStars = (path: string) => ({ rules: [{ when: { path }, latency }] })
  const slowPath = `/api_keys/${'a'.repeat(800)}`
  const texts: Row[] = [
    text('rules', 32, rule, ['rules:\n', '']),
    text('keys of one map', 24, i => `k${i}: 1\n`),
    text('items of one list', 12, () => 'b,', ['rules: [', 'b]']),
    text('one long string', 40, () => '\\n', ['name: "', '"']),
  ]
  return [
    ...texts,
    { what: 'scenario: 1,000 rules', size: '80 KB', act: () => put(many), most: LONGEST_BODY },
    { what: 'a call that matches 1,000 rules', size: '', before: () => put(many), act: call },
    { what: 'scenario: 5,000 paths', size: '', act: () => put(paths), most: LONGEST_BODY },
    {
      what: 'a call that matches a path of many stars',
      size: '0.8 KB',
      before: () => put(slowStars('/api_keys/*a*a*b')),
      act: () => send('GET', slowPath, { status: [404, 414] }),
    },
    large('scenario: state merged', time => put({ state: { users: [{ id: `usr_${time}` }] } })),
    large('scenario: a state with all keys', time => send('PUT', '/_sim/scenario', { body: everyKey[time % 2]! })),
    large('scenario: by name', () => put({ name: 'large-account' })),
    large('scenarios listed', () => send('GET', '/_sim/scenarios')),
    { what: 'scenario removed', size: '', act: () => send('DELETE', '/_sim/scenario') },
    { what: 'openapi.json', size: '', act: () => send('GET', '/_sim/openapi.json') },
    { what: 'control.json', size: '', act: () => send('GET', '/_sim/control.json') },
    { what: 'resources', size: '', act: () => send('GET', '/_sim/resources') },
  ]
}

export const scenarios: Group = { name: 'scenarios', rows }
