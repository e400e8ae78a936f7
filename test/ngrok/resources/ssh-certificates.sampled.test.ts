import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, writeFiles } from '../../support/afterwards.ts'
import type { TestResponse } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { ALL, LONG } from '../../support/long.ts'
import { readSshCertificate, sshKeys } from '../../support/ssh.ts'

/** Ed25519 signs for every kind of key, and every kind of authority for Ed25519. `npm test` runs only one pair. */

const authorities = {
  ed25519: { private_key_type: 'ed25519' },
  p256: { private_key_type: 'ecdsa', elliptic_curve: 'p256' },
  p384: { private_key_type: 'ecdsa', elliptic_curve: 'p384' },
  p521: { private_key_type: 'ecdsa', elliptic_curve: 'p521' },
  'rsa 2048': { private_key_type: 'rsa', key_size: 2048 },
  'rsa 4096': { private_key_type: 'rsa', key_size: 4096 },
}
const all = Object.entries(authorities).flatMap(([by, given]) =>
  Object.entries(sshKeys).map(([of, key]) => [by, of, given, key] as const),
)
const pairs = all.filter(([by, of], i) => LONG || i === 0 || (ALL && (by === 'ed25519' || of === 'ed25519')))

const { call } = await simulate({ clock: '2026-02-01T00:00:00Z' })
const folder = folderWith()

const principals = ['one.example.com', 'zwei.example.com']
const valid_until = '2026-03-01T12:00:00Z'
const critical_options = { 'source-address': '10.0.0.0/8', 'force-command': 'ls -l' }
const extensions = { 'permit-pty': '', 'permit-agent-forwarding': '', 'login@example.com': 'someone' }

const fingerprintOf = (key: string) =>
  `SHA256:${createHash('sha256')
    .update(Buffer.from(key.split(' ')[1]!, 'base64'))
    .digest('base64')
    .replace(/=+$/, '')}`

const created = new Map<object, Promise<TestResponse>>()
async function authorityFor(given: object) {
  const response = created.get(given) ?? call('POST', '/ssh_certificate_authorities', given)
  created.set(given, response)
  return (await response).body
}

async function issue(by: object, public_key: string) {
  const authority = await authorityFor(by)
  const given = { ssh_certificate_authority_id: authority.id, public_key, principals, valid_until }
  const host = await call('POST', '/ssh_host_certificates', given)
  const user = await call('POST', '/ssh_user_certificates', { ...given, critical_options, extensions })
  expect([host.status, user.status], `${host.text} ${user.text}`).toEqual([201, 201])
  return { authority, host: host.body, user: user.body }
}

const seconds = (time: string) => Date.parse(time) / 1000

it.each(
  pairs,
)('A certificate signed with %s for a key of type %s contains the requested values', async (_by, _of, by, key) => {
  const { authority, host, user } = await issue(by, key)
  for (const [subject, record] of Object.entries({ host, user })) {
    const type = `${key.split(' ')[0]}-cert-v01@openssh.com`
    expect(readSshCertificate(record.certificate)).toEqual({
      type,
      name: type,
      comment: record.id,
      nonceBytes: 32,
      serial: 0n,
      subject,
      keyId: record.id,
      principals,
      after: seconds('2026-02-01T00:00:00Z'),
      before: seconds(valid_until),
      critical: subject === 'host' ? {} : critical_options,
      extensions: subject === 'host' ? {} : extensions,
      signedBy: authority.public_key.split(' ')[1],
      isComplete: true,
      isSigned: true,
    })
  }
})

function list(name: string, certificate: string) {
  writeFiles(folder, { [`${name}-cert.pub`]: `${certificate}\n` })
  const file = join(folder, `${name}-cert.pub`)
  const { stdout, stderr, status } = spawnSync('ssh-keygen', ['-L', '-f', file], {
    encoding: 'utf8',
    env: { TZ: 'UTC' },
  })
  return { status, stderr, lines: stdout.split('\n').map(line => line.trim()) }
}

const isInstalled = spawnSync('ssh-keygen', ['-?']).error === undefined
describe.skipIf(!isInstalled)('OpenSSH (skipped without ssh-keygen)', () => {
  it.each(pairs)('reads and verifies a certificate signed with %s for a key of type %s', async (_by, of, by, key) => {
    const { authority, host, user } = await issue(by, key)
    for (const [subject, record] of Object.entries({ host, user })) {
      const { status, stderr, lines } = list(record.id, record.certificate)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const type = key.split(' ')[0]
      const signer = lines.find(line => line.startsWith('Signing CA: '))
      const algorithm = by.private_key_type === 'rsa' ? 'rsa-sha2-512' : authority.public_key.split(' ')[0]
      expect(lines).toContain(`Type: ${type}-cert-v01@openssh.com ${subject} certificate`)
      expect(signer).toContain(` ${fingerprintOf(authority.public_key)} (using ${algorithm})`)
      expect(lines.join('\n')).toMatch(new RegExp(`^Public key: .* ${escaped(fingerprintOf(key))}$`, 'm'))
      expect(lines).toContain(`Key ID: "${record.id}"`)
      expect(lines).toContain('Serial: 0')
      expect(lines).toContain('Valid: from 2026-02-01T00:00:00 to 2026-03-01T12:00:00')
      const rest = lines.slice(lines.indexOf('Principals:')).filter(line => line !== '')
      const ofUsers = [
        ...['Critical Options:', 'force-command ls -l', 'source-address 10.0.0.0/8', 'Extensions:'],
        expect.stringMatching(/^login@example\.com UNKNOWN OPTION/),
        ...['permit-agent-forwarding', 'permit-pty'],
      ]
      const ofHosts = ['Critical Options: (none)', 'Extensions: (none)']
      expect(rest, of).toEqual(['Principals:', ...principals, ...(subject === 'user' ? ofUsers : ofHosts)])
    }
  })

  it('rejects a modified certificate', async () => {
    const { host } = await issue(authorities['rsa 2048'], sshKeys.ed25519)
    const [type, base64] = host.certificate.split(' ')
    const bytes = Buffer.from(base64, 'base64')
    bytes[bytes.indexOf('one.example.com')] = 'O'.charCodeAt(0)
    expect(list('changed', `${type} ${bytes.toString('base64')}`).status).not.toBe(0)
  })
})

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
