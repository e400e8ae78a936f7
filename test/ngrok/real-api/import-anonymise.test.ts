import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Aliases } from '../../../src/ngrok/real-api/import/aliases.ts'
import { Report } from '../../../src/ngrok/real-api/import/report.ts'
import { simulate } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'
import { tableIn } from '../../support/tables.ts'
import { importFrom, serveAccount } from './import-support.ts'
import { account, NOW, TEXT } from './rich-account.ts'

const hosts: [given: string, expected: string][] = tableIn(import.meta.url, 'import-anonymise.yaml')

const IDENTIFYING =
  /acme|ann\b|bob|_idle|_office|_lab\b|_gone|ipr_|987654321098|10\.20\.|198\.18\.|2400:|47\.3|BEGIN|ssh-ed/i

describe('An anonymised fixture', async () => {
  const { code, err, text = '', file } = await importFrom(await serveAccount(), ['--anonymise'])
  expect({ code, err }).toMatchObject({ code: 0 })
  const fixture = JSON.parse(text)

  it('contains no ID, name, host or address of the account', async () => {
    expect(JSON.stringify(account)).toMatch(IDENTIFYING)
    const own = text.replaceAll(/"ipr_anon\d+"|acme_challenge_cname_target/g, '')
    expect(IDENTIFYING.exec(own)?.[0]).toBeUndefined()
    expect(err).not.toMatch(/annacme|acme\.dev|10\.20\./)
    const ids = [...JSON.stringify(account).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!)
    expect(ids.length).toBeGreaterThan(150)
    for (const id of ids) expect(text).not.toContain(`"${id}"`)
  })

  it('includes and reports free-text fields with --keep-texts', async () => {
    const kept = await importFrom(await serveAccount(), ['--anonymise', '--keep-texts'])
    expect(kept).toMatchObject({ code: 0, text: expect.stringContaining(TEXT) })
    expect(kept.err).toMatch(
      /Free-text fields, unchanged because of --keep-texts \(they may contain names\) \(\d+\):\n/,
    )
    expect(kept.text).toContain('"ak_anon1"')
  })

  it('omits and reports records with certificates and public keys', async () => {
    for (const table of ['tls_certificates', 'certificate_authorities', 'ssh_host_certificates', 'ssh_credentials'])
      expect(fixture[table]).toBeUndefined()
    expect(err).toMatch(/cannot be anonymised, omitted \(11\):\n {2}tls_certificates\n/)
  })

  it('preserves references by name: endpoint domains, group tunnels, edge addresses', async () => {
    const { call } = await simulate({ fixture: file, clock: NOW })
    const get = async (path: string) => (await call('GET', path, undefined, { token: 'sim_anon1' })).body
    const [agent, cloud] = (await get('/endpoints')).endpoints
    const [wildcard] = fixture.reserved_domains
    expect(wildcard.domain).toBe('*.host1.example')
    expect(cloud).toMatchObject({
      url: expect.stringMatching(/^https:\/\/part\d+\.host1\.example$/),
      domain: { id: wildcard.id },
    })
    const [addr] = fixture.reserved_addrs
    expect(agent).toMatchObject({ tcp_addr: { id: addr.id }, hostport: addr.addr, tunnel: { id: 'tn_anon1' } })
    expect(fixture.tcp_edges[0].hostports).toEqual([addr.addr])
    const [group] = (await get('/backends/tunnel_group')).backends
    expect(group.tunnels).toMatchObject([{ id: 'tn_anon1' }])
    expect(fixture.missing).toEqual(expect.arrayContaining([fixture.tcp_edges[0].ip_restriction.ip_policy_ids[1]]))
  })

  it('replaces CIDR blocks with documentation ranges, of the same size if possible', async () => {
    const rules = fixture.ip_policies.flatMap(({ rules = [] }) => rules.map(({ cidr }: { cidr: string }) => cidr))
    expect(rules).toEqual(['192.0.2.0/24', '2001:db8::/48', '0.0.0.0/0', '198.51.100.0/32'])
    expect(err).toMatch(/CIDR blocks, smaller .*\(1\):\n {2}IPv4/)
  })
})

describe('Anonymisation', () => {
  const aliases = () => {
    const report = new Report()
    return { ...new Aliases('ngrok', report), report }
  }

  it.each(hosts)('replaces %j with %j', (given, expected) => {
    expect(aliases().host(given)).toBe(expected)
  })

  it('leaves no word of four or more letters', () => {
    const known = /^(anon|name|part|host|person|example|internal|localhost|bind|https?|role|user|logs|kinesis|group)$/i
    const words = fc.constantFrom(...'acmecorp Billing prod ärzte x 10.9.8.7 * com internal 443'.split(' '))
    const marks = fc.constantFrom('', ' ', '\n', ...': / . @ :// bind: arn: [ ] - _ ? #'.split(' '))
    const texts = fc.array(fc.tuple(words, marks), { maxLength: 8 }).map(parts => parts.flat().join(''))
    const wordsOf = (text: string) => (text.match(/\p{L}{4,}/gu) ?? []).filter(word => !known.test(word))
    fc.assert(
      fc.property(texts, fc.constantFrom('id', 'name', 'host', 'email', 'address', 'plain'), (text, how) => {
        const alias = aliases()[how as 'host'](text)
        expect(wordsOf(alias).filter(word => text.includes(word))).toEqual([])
      }),
      { numRuns: ALL ? 2000 : 500 },
    )
  })

  it('preserves client names and versions, and the ARN format', () => {
    const { plain, name } = aliases()
    expect(['linux', '3.5.0-beta', 'Firefox', 'ngrok/2', 'eu', ''].map(plain)).toEqual([
      ...['linux', '3.5.0-beta', 'Firefox', 'ngrok/2', 'eu', ''],
    ])
    expect(['acmecorp-agent 1', '1234567'].map(plain)).toEqual(['name1', 'name2'])
    expect(name('arn:acmecorp:kinesis:acme-dc-1:987654321098:stream/billing')).toBe(
      'arn:aws:kinesis:us-east-1:123456789012:stream/name3',
    )
    expect(name('arn:aws-us-gov:iam::987654321098:acmecorp/billing')).toBe(
      'arn:aws-us-gov:iam::123456789012:name4/name3',
    )
  })

  it('replaces equal values equally, and different values differently', () => {
    const { id, name, host, email, address } = aliases()
    expect([id('ak_x'), id('ak_y'), id('ak_x'), id('cr_x'), id('odd id')]).toEqual([
      ...['ak_anon1', 'ak_anon2', 'ak_anon1'],
      ...['cr_anon1', 'id_anon1'],
    ])
    expect([name('a/b'), name('b'), name('7'), name('')]).toEqual(['name1/name2', 'name2', '1', ''])
    expect([email('a@x.com'), email('b@x.com'), host('x.com'), email('a@y.com')]).toEqual([
      ...['person1@host1.example', 'person2@host1.example'],
      ...['host1.example', 'person1@host2.example'],
    ])
    expect([address('10.0.0.1'), address('10.0.0.1/32'), address('10.0.0.2')]).toEqual([
      ...['192.0.2.0', '192.0.2.0/32', '192.0.2.1'],
    ])
  })

  it('reuses and reports addresses when the documentation ranges run out', () => {
    const { address, report } = aliases()
    const given = Array.from({ length: 769 }, (_, i) => address(`10.0.${i >> 8}.${i & 255}`))
    expect(new Set(given).size).toBe(768)
    expect([given[768], given[767]]).toEqual(['192.0.2.0', '203.0.113.255'])
    expect(report.toJSON()).toEqual({ reused: { IPv4: 1 } })
    expect([address('2400::/16'), address('2400::/12'), address('::/0')]).toEqual([
      '2001:db8::/32',
      '2001:db8::/32',
      '::/0',
    ])
    expect(report.toJSON()).toEqual({ reused: { IPv4: 1, IPv6: 1 }, smaller: { IPv6: 2 } })
  })
})
