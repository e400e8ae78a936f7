import { describe, expect, it } from 'vitest'
import { normaliseAddress, parseCidr } from '../../src/ip/cidr.ts'
import { PolicyMatcher } from '../../src/ip/policy.ts'

const rules = (action: 'allow' | 'deny', cidrs: string[]) =>
  cidrs.map((cidr, i) => ({ id: `ipr_${action}_${i}`, ip_policy_id: 'ipp_one', action, cidr }))
const allow = (...cidrs: string[]) => rules('allow', cidrs)
const deny = (...cidrs: string[]) => rules('deny', cidrs)

describe('IP policy rules', () => {
  it.each([
    ['pass what an allow block holds', allow('10.0.0.0/8'), '10.20.30.40', true],
    ['refuse what no allow block holds', allow('10.0.0.0/8'), '11.0.0.1', false],
    ['refuse everything if there are none', [], '10.0.0.1', false],
    ['refuse everything when they only deny', deny('192.0.2.0/24'), '10.0.0.1', false],
    [
      'refuse what a deny block holds, though an allow block does too',
      [...allow('0.0.0.0/0'), ...deny('10.0.0.0/8')],
      '10.1.2.3',
      false,
    ],
    ['pass what the deny block does not hold', [...allow('0.0.0.0/0'), ...deny('10.0.0.0/8')], '11.0.0.1', true],
    ['match IPv6', allow('2001:db8::/32'), '2001:db8:ffff::1', true],
    ['do not match beyond the end of an IPv6 block', allow('2001:db8::/32'), '2001:db9::1', false],
    ['match a single address', allow('192.0.2.7/32'), '192.0.2.7', true],
    ['do not match the neighbour of a single address', allow('192.0.2.7/32'), '192.0.2.8', false],
    ['do not match IPv4 by ::/0', allow('::/0'), '10.0.0.1', false],
    ['do not match IPv6 by 0.0.0.0/0', allow('0.0.0.0/0'), '2001:db8::1', false],
    ['match a mapped source as IPv4', allow('10.0.0.0/8'), '::ffff:10.20.30.40', true],
    ['match a mapped source in another spelling as IPv4', allow('10.0.0.0/8'), '0:0:0:0:0:ffff:a14:1e28', true],
    ['match a mapped block as IPv4', allow('::ffff:10.0.0.0/104'), '10.20.30.40', true],
    ['match all of IPv4 by the shortest mapped block', allow('::ffff:0.0.0.0/96'), '198.51.100.200', true],
    ['match a block that reaches beyond IPv4 as IPv6 only', allow('::ffff:0.0.0.0/90'), '198.51.100.200', false],
    ['ignore the zone of an address', allow('fe80::/10'), 'fe80::1%eth0', true],
    ['refuse what is not an address', allow('0.0.0.0/0', '::/0'), '', false],
  ])('%s', (_, rules, source, passes) => {
    expect(new PolicyMatcher(rules).judge(source).passes).toBe(passes)
  })

  it('say why they refuse', () => {
    const rules = [...allow('10.0.0.0/8', '127.0.0.0/8'), ...deny('10.0.0.0/16')]
    const why = (source: string) => new PolicyMatcher(rules).judge(source).why
    expect(why('11.0.0.1')).toBe('none of the 2 allow rules of its IP policies matches')
    expect(why('10.0.0.1')).toBe('a deny rule of its IP policies matches')
  })
})

describe('A CIDR block', () => {
  it.each([
    '10.0.0.0',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/33',
    '2001:db8::/129',
    '10.0.0/8',
    'x/10.0.0.0/8',
    '10.0.0.0/8x',
    ' 10.0.0.0/8',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/0008',
    'fe80::1%eth0/64',
    'localhost/8',
    '',
  ])('cannot be %j', text => expect(parseCidr(text)).toBeUndefined())

  it.each([
    ['10.1.2.3/8', { address: '10.1.2.3', bits: 8, family: 'ipv4' }],
    ['0.0.0.0/0', { address: '0.0.0.0', bits: 0, family: 'ipv4' }],
    ['2001:db8::/128', { address: '2001:db8::', bits: 128, family: 'ipv6' }],
    ['::ffff:10.20.0.0/112', { address: '10.20.0.0', bits: 16, family: 'ipv4' }],
    ['::ffff:0.0.0.0/96', { address: '0.0.0.0', bits: 0, family: 'ipv4' }],
    ['::ffff:0.0.0.0/95', { address: '::ffff:0.0.0.0', bits: 95, family: 'ipv6' }],
  ])('can be %s', (text, cidr) => expect(parseCidr(text)).toEqual(cidr))
})

describe('An address', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:192.0.2.128', '192.0.2.128'],
    ['::FFFF:C000:280', '192.0.2.128'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%lo', 'fe80::1'],
    ['::1', '::1'],
  ])('%s is normalized to %s', (address, seen) => expect(normaliseAddress(address)).toBe(seen))
})
