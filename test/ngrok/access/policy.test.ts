import { BlockList, isIPv4, SocketAddress } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CidrMap, normaliseAddress, prefixOf } from '../../../src/basics/cidr.ts'
import { PolicyMatcher } from '../../../src/ngrok/access/policy.ts'
import { tableIn } from '../../support/tables.ts'

interface Cases {
  policies: [title: string, rules: { allow?: string[]; deny?: string[] }, source: string, passes: boolean][]
  addresses: [text: string, normalized: string][]
}
const cases: Cases = tableIn(import.meta.url, 'policy.yaml')

const rules = (action: 'allow' | 'deny', cidrs: string[]) =>
  cidrs.map((cidr, i) => ({ id: `ipr_${action}_${i}`, ip_policy_id: 'ipp_one', action, cidr }))
const allow = (...cidrs: string[]) => rules('allow', cidrs)
const deny = (...cidrs: string[]) => rules('deny', cidrs)

describe('IP policy rules', () => {
  it.each(cases.policies)('%s', (_, { allow: allowed = [], deny: denied = [] }, source, passes) => {
    const rules = [...allow(...allowed), ...deny(...denied)]
    expect(new PolicyMatcher(rules).judge(source).passes).toBe(passes)
  })

  it('explain the decision', () => {
    // In an order in which the last match would win.
    const rules = [...deny('10.0.0.0/16'), ...allow('10.0.0.0/8', '127.0.0.0/8')]
    const why = (source: string) => new PolicyMatcher(rules).judge(source).why
    expect(why('127.0.0.1')).toBe('the rule ipr_allow_1 of ipp_one (allow 127.0.0.0/8) matches')
    expect(why('11.0.0.1')).toBe('none of the 2 allow rules of its IP policies matches')
    expect(why('10.0.0.1')).toBe('the rule ipr_deny_0 of ipp_one (deny 10.0.0.0/16) matches')
  })
})

describe('A CIDR block', () => {
  it.each([
    ...'10.0.0.0 10.0.0.0/ /8 10.0.0.0/33 2001:db8::/129 10.0.0/8 x/10.0.0.0/8 10.0.0.0/8x 10.0.0.0/8/8'.split(' '),
    ...'10.0.0.0/-1 10.0.0.0/0008 fe80::1%eth0/64 localhost/8 1::2::3/64 1:2:3:4:5:6:7:8:9/64 ::1]/64'.split(' '),
    ' 10.0.0.0/8',
    '',
  ])('cannot be %j', text => expect(prefixOf(text)).toBeUndefined())

  it.each([
    ['10.1.2.3/8', '4 00001010'],
    ['0.0.0.0/0', '4'],
    ['2001:db8::/32', '6 00100000000000010000110110111000'],
    ['::/128', `6 ${'0'.repeat(128)}`],
    ['::ffff:10.20.0.0/112', '4 0000101000010100'],
    ['::ffff:0.0.0.0/96', '4'],
    ['::ffff:0.0.0.0/95', `6 ${'0'.repeat(80)}${'1'.repeat(15)}`],
  ])('%s has the prefix %s', (text, prefix) => expect(prefixOf(text)).toBe(prefix.replace(' ', '')))

  it('contains the same addresses as a BlockList of Node', () => {
    const cidr = fc.tuple(address, fc.nat(128)).map(([text, bits]) => `${text}/${isIPv4(text) ? bits % 33 : bits}`)
    fc.assert(
      fc.property(fc.array(cidr, { minLength: 1, maxLength: 4 }), address, (cidrs, source) => {
        const found = new CidrMap(cidrs.map(text => [text, text])).get(source)
        expect(found).toBe(cidrs.find(text => isIn(text, source)))
      }),
    )
  })
})

/** Few different bits, so some addresses are in some blocks, in every notation. */
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4().map(text => `::ffff:${text}`),
  fc
    .tuple(fc.constantFrom('10.0.0.', '::ffff:10.0.0.', '::', '0:0::ffff:a00:', 'FE80::'), fc.nat(9))
    .map(each => each.join('')),
)

/** Whether Node's BlockList matches. Mapped IPv4 equals IPv4, but larger IPv6 blocks don't contain IPv4. */
function isIn(cidr: string, source: string): boolean {
  const [text, bits] = cidr.split('/') as [string, string]
  const [block, given] = [mappedOf(text), mappedOf(source)]
  const long = isIPv4(text) ? Number(bits) + 96 : Number(bits)
  const list = new BlockList()
  list.addSubnet(block, long, 'ipv6')
  const reachesBeyond = long < 96 && given.startsWith('::ffff:')
  return !reachesBeyond && list.check(given, 'ipv6')
}

const mappedOf = (text: string) =>
  new SocketAddress({ address: isIPv4(text) ? `::ffff:${text}` : text, family: 'ipv6' }).address

describe('An address', () => {
  it.each(cases.addresses)('%s is normalized to %s', (text, seen) => expect(normaliseAddress(text)).toBe(seen))

  it('is normalized to one notation, which Node reads as the same address', () => {
    fc.assert(
      fc.property(address, fc.constantFrom('', '%eth0'), (text, zone) => {
        const seen = normaliseAddress(text + (text.includes(':') ? zone : ''))
        expect(mappedOf(seen)).toBe(mappedOf(text))
        expect(normaliseAddress(mappedOf(text))).toBe(seen)
      }),
    )
  })
})
