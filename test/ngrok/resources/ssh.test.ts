import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { expectError } from '../../support/http.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'
import { readSshCertificate, sshKeys } from '../../support/ssh.ts'

const clock = '2026-02-01T00:00:00Z'
const { as, url } = await simulate({ clock })
type Send = ReturnType<Simulated['as']>

const AUTHORITIES = '/ssh_certificate_authorities'
const HOSTS = '/ssh_host_certificates'
const USERS = '/ssh_user_certificates'
const CREDENTIALS = '/ssh_credentials'

async function created(send: Send, path: string, given: object) {
  const { status, body, text } = await send('POST', path, given)
  expect(status, text).toBe(201)
  return body
}
const authorityIn = async (send: Send, given = {}) => (await created(send, AUTHORITIES, given)).id

describe('An SSH certificate authority', () => {
  it.each([
    [{}, 'ed25519', /^ssh-ed25519 AAAA\S+$/],
    [{ private_key_type: 'ecdsa' }, 'ecdsa', /^ecdsa-sha2-nistp256 AAAA\S+$/],
    [{ private_key_type: 'ecdsa', elliptic_curve: 'p521' }, 'ecdsa', /^ecdsa-sha2-nistp521 AAAA\S+$/],
    [{ private_key_type: 'rsa' }, 'rsa', /^ssh-rsa AAAA\S{368}$/],
    [{ private_key_type: 'rsa', key_size: 4096 }, 'rsa', /^ssh-rsa AAAA\S{712}$/],
    // Clients send empty values for unset fields.
    [{ private_key_type: '', elliptic_curve: '', key_size: 0 }, 'ed25519', /^ssh-ed25519 AAAA\S+$/],
  ])('created with %j returns only its public key', async (given, key_type, public_key) => {
    const send = as('sim_admin~authority')
    const body = await created(send, AUTHORITIES, { description: 'Ours', ...given })
    expect(body).toEqual({
      id: body.id,
      uri: `${url}${AUTHORITIES}/${body.id}`,
      created_at: clock,
      description: 'Ours',
      public_key: expect.stringMatching(public_key),
      key_type,
    })
    expect((await send('GET', `${AUTHORITIES}/${body.id}`)).body).toEqual(body)
  })

  it('has its own key', async () => {
    const send = as('sim_admin~own')
    for (const given of [{}, { private_key_type: 'ecdsa' }, { private_key_type: 'rsa' }]) {
      const [one, other] = [await created(send, AUTHORITIES, given), await created(send, AUTHORITIES, given)]
      expect(one.public_key).not.toBe(other.public_key)
    }
  })

  it('has the same key after an update, and an unchangeable type', async () => {
    const send = as('sim_admin~update')
    const before = await created(send, AUTHORITIES, { private_key_type: 'rsa' })
    const { body } = await send('PATCH', `${AUTHORITIES}/${before.id}`, { description: 'Renamed' })
    expect(body).toEqual({ ...before, description: 'Renamed' })
    const other = await send('PATCH', `${AUTHORITIES}/${before.id}`, { private_key_type: 'ecdsa' })
    expect(expectError(other, 400, 214).details.field).toBe('private_key_type')
  })

  it('cannot be deleted while certificates signed by it exist, even if delete_referenced is detach', async () => {
    const { call } = await simulate({ assume: { delete_referenced: 'detach' } })
    const { msg } = expectError(await call('DELETE', `${AUTHORITIES}/sshca_ops`), 400, 1964)
    expect(msg).toContain('shcrt_bastion, sucrt_ann')
    expect((await call('PUT', '/_sim/state', (await call('GET', '/_sim/state')).body)).status).toBeLessThan(300)
  })

  it('stores the type of its key, not the key', async () => {
    const send = as('sim_admin~stored')
    const { id } = await created(send, AUTHORITIES, { private_key_type: 'ecdsa' })
    const { body } = await send('GET', '/_sim/sandboxes/stored/state')
    const record = body.ssh_certificate_authorities.find((each: { id: string }) => each.id === id)
    expect(record).toEqual({ id, created_at: clock, private_key_type: 'ecdsa', elliptic_curve: 'p256' })
  })
})

describe('An SSH certificate', () => {
  it('for a host is valid for a year and for every name by default', async () => {
    const send = as('sim_admin~host')
    const ssh_certificate_authority_id = await authorityIn(send)
    const body = await created(send, HOSTS, { ssh_certificate_authority_id, public_key: sshKeys.rsa })
    expect(body).toEqual({
      id: body.id,
      uri: `${url}${HOSTS}/${body.id}`,
      created_at: clock,
      ssh_certificate_authority_id,
      public_key: sshKeys.rsa,
      key_type: 'rsa',
      principals: [],
      valid_after: clock,
      valid_until: '2027-02-01T00:00:00Z',
      certificate: expect.stringMatching(/^ssh-rsa-cert-v01@openssh\.com AAAA/),
    })
    expect(readSshCertificate(body.certificate)).toMatchObject({ subject: 'host', principals: [], isSigned: true })
  })

  it('for a user is valid for a day and permits a terminal by default', async () => {
    const send = as('sim_admin~user')
    const ssh_certificate_authority_id = await authorityIn(send)
    const blank = { principals: [], critical_options: {}, extensions: {}, valid_after: '', valid_until: '' }
    const body = await created(send, USERS, { ssh_certificate_authority_id, public_key: sshKeys.p256, ...blank })
    const extensions = { 'permit-pty': '', 'permit-user-rc': '' }
    expect(body).toMatchObject({
      key_type: 'ecdsa',
      critical_options: {},
      extensions,
      valid_after: clock,
      valid_until: '2026-02-02T00:00:00Z',
    })
    expect(readSshCertificate(body.certificate)).toMatchObject({ subject: 'user', critical: {}, extensions })
  })

  it.each([
    [{ valid_after: '2030-01-01T01:00:00+01:00' }, '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'],
    [{ valid_after: '9999-12-31T12:00:00Z' }, '9999-12-31T12:00:00Z', '9999-12-31T23:59:59Z'],
    [{ valid_after: '1900-01-01T00:00:00Z', valid_until: '2026-01-01T00:00:00Z' }, '1900-01-01T00:00:00Z', undefined],
  ])('created with %j is valid from %s', async (given, valid_after, valid_until = '2026-01-01T00:00:00Z') => {
    const send = as('sim_admin~times')
    const ssh_certificate_authority_id = await authorityIn(send)
    const body = await created(send, USERS, { ssh_certificate_authority_id, public_key: sshKeys.p384, ...given })
    expect(body).toMatchObject({ valid_after, valid_until })
    const seconds = (time: string) => Math.max(0, Date.parse(time) / 1000)
    expect(readSshCertificate(body.certificate)).toMatchObject({
      after: seconds(valid_after),
      before: seconds(valid_until),
      isSigned: true,
    })
  })

  it('is not signed again by an update, which cannot change signed values', async () => {
    const send = as('sim_admin~signed-once')
    const ssh_certificate_authority_id = await authorityIn(send, { private_key_type: 'ecdsa' })
    const before = await created(send, HOSTS, { ssh_certificate_authority_id, public_key: sshKeys.ed25519 })
    const { body } = await send('PATCH', `${HOSTS}/${before.id}`, { metadata: 'x' })
    expect(body).toEqual({ ...before, metadata: 'x' })
    const other = await send('PATCH', `${HOSTS}/${before.id}`, { principals: ['other.example.com'] })
    expect(expectError(other, 400, 214).details.field).toBe('principals')
  })

  it('is created for a key that ends in a line feed, as a .pub file does', async () => {
    const public_key = `${sshKeys.ed25519}\n`
    const send = as('sim_admin~keys')
    const ssh_certificate_authority_id = await authorityIn(send)
    const body = await created(send, USERS, { ssh_certificate_authority_id, public_key })
    expect(body.public_key).toBe(public_key)
    expect(readSshCertificate(body.certificate).isSigned).toBe(true)
  })

  const [type, base64] = sshKeys.p256.split(' ') as [string, string]
  const changed = (change: (bytes: Buffer) => Buffer) =>
    `${type} ${change(Buffer.from(base64, 'base64')).toString('base64')}`
  const keyOf = (bytes: string) => `${bytes.slice(4, 4 + bytes.charCodeAt(3))} ${Buffer.from(bytes).toString('base64')}`
  it.each([
    ['it must start with one of ssh-ed25519', 'text'],
    ['it must start with one of', '__proto__ AAAA'],
    ['it must start with one of', '-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n-----END OPENSSH PRIVATE KEY-----'],
    ['it has several lines', `${sshKeys.ed25519}\n${sshKeys.rsa}`],
    ['no base64 after ssh-rsa', 'ssh-rsa'],
    ['no base64 after ssh-rsa', 'ssh-rsa AAA*'],
    ['the key is incomplete', 'ssh-rsa AAAA'],
    ['the key is incomplete', changed(bytes => bytes.subarray(0, -1))],
    ['the key has a type other than ssh-rsa', `ssh-rsa ${base64}`],
    ['invalid ssh-ed25519 key', keyOf('\0\0\0\vssh-ed25519')],
    ['invalid ssh-rsa key', keyOf('\0\0\0\x07ssh-rsa\0\0\0\x01\x03\0\0\0\x01\x7f')],
    [`invalid ${type} key`, changed(bytes => Buffer.concat([bytes, Buffer.alloc(4)]))],
    [`invalid ${type} key`, changed(bytes => bytes.fill(bytes.at(-1)! ^ 1, bytes.length - 1))],
  ])('is rejected if its key is invalid: %s', async (why, public_key) => {
    const send = as('sim_admin~bad-keys')
    const response = await send('POST', HOSTS, { ssh_certificate_authority_id: 'sshca_ops', public_key })
    expect(expectError(response, 400, 1934).details.field).toBe('public_key')
    expect(response.body.msg).toContain(why)
    expect(response.text).not.toContain('secret')
  })
})

describe('An SSH credential', () => {
  it('belongs to the caller, and has no token', async () => {
    const send = as('sim_member~credential')
    const given = { public_key: sshKeys.rsa, acl: ['bind:device.example.com'], description: 'A device' }
    const body = await created(send, CREDENTIALS, given)
    expect(body).toEqual({
      id: body.id,
      uri: `${url}${CREDENTIALS}/${body.id}`,
      created_at: clock,
      owner_id: 'usr_member',
      ...given,
    })
    const { body: after } = await send('PATCH', `${CREDENTIALS}/${body.id}`, { acl: [], metadata: 'x' })
    expect(after).toEqual({ ...body, acl: [], metadata: 'x' })
  })

  it('must have a unique key, whatever its comment', async () => {
    const send = as('sim_admin~taken')
    const { id } = await created(send, CREDENTIALS, { public_key: sshKeys.p521 })
    const response = await send('POST', CREDENTIALS, { public_key: ` ${sshKeys.p521}  another remark` })
    expect(expectError(response, 400, 609).details.field).toBe('public_key')
    expect(response.body.msg).toContain(id)
  })

  it('is deleted with its owner', async () => {
    const send = as('sim_admin~owner')
    const owner = await created(send, '/bot_users', { name: 'Device' })
    const { id } = await created(send, CREDENTIALS, { public_key: sshKeys.p521, owner_id: owner.id })
    expect((await send('DELETE', `/bot_users/${owner.id}`)).status).toBe(204)
    expect((await send('GET', `${CREDENTIALS}/${id}`)).status).toBe(404)
  })
})

const kinds = [{}, { private_key_type: 'ecdsa' }, { private_key_type: 'rsa' }]

it('Authorities sign with the same keys after a restart', async () => {
  const db = join(folderWith(), 'db.json')
  const before = await simulate({ db })
  const authorities = await Promise.all(kinds.map(given => created(before.as('sim_admin'), AUTHORITIES, given)))
  await before.close()
  const after = (await simulate({ db })).as('sim_admin')
  for (const { id, public_key } of authorities) {
    expect((await after('GET', `${AUTHORITIES}/${id}`)).body.public_key).toBe(public_key)
    const { certificate } = await created(after, USERS, {
      ssh_certificate_authority_id: id,
      public_key: sshKeys.ed25519,
    })
    expect(readSshCertificate(certificate)).toMatchObject({ signedBy: public_key.split(' ')[1], isSigned: true })
  }
})

it('With a seed, the same requests create the same keys and certificates', async () => {
  const [one, other] = await Promise.all(
    [0, 1].map(async () => {
      const send = (await simulate({ seed: 7, clock })).as('sim_admin')
      const bodies: object[] = []
      for (const given of kinds) {
        const authority = await created(send, AUTHORITIES, given)
        const request = { ssh_certificate_authority_id: authority.id, public_key: sshKeys.p256 }
        for (const path of [HOSTS, USERS]) {
          const { uri: _own, ...rest } = await created(send, path, request)
          bodies.push(rest)
        }
      }
      return bodies
    }),
  )
  expect(one).toEqual(other)
})

it('The default fixture contains the certificates that its authority signs', async () => {
  const { call } = await simulate()
  const { body: given } = await call('GET', '/_sim/state')
  const unsigned = (rows: { certificate: string }[]) => rows.map(({ certificate: _text, ...rest }) => rest)
  const fixture = {
    ...given,
    ssh_host_certificates: unsigned(given.ssh_host_certificates),
    ssh_user_certificates: unsigned(given.ssh_user_certificates),
  }
  const again = await simulate({ fixture })
  const { body: signed } = await again.as('sim_admin')('GET', '/_sim/state')
  expect(signed.ssh_host_certificates).toEqual(given.ssh_host_certificates)
  expect(signed.ssh_user_certificates).toEqual(given.ssh_user_certificates)
})

it('A fixture gets certificates signed by its authorities, and an export contains them', async () => {
  const given = { ssh_certificate_authority_id: 'sshca_a', public_key: sshKeys.rsa }
  const fixture = {
    ssh_host_certificates: [
      { id: 'shcrt_a', ...given },
      { id: 'shcrt_b', ...given, certificate: 'of another authority' },
    ],
    ssh_certificate_authorities: [{ id: 'sshca_a', private_key_type: 'ecdsa', elliptic_curve: 'p521' }],
  }
  const { call } = await simulate({ fixture, clock })
  const { body: authority } = await call('GET', `${AUTHORITIES}/sshca_a`)
  const { body: signed } = await call('GET', `${HOSTS}/shcrt_a`)
  expect(readSshCertificate(signed.certificate)).toMatchObject({
    keyId: 'shcrt_a',
    signedBy: authority.public_key.split(' ')[1],
    isSigned: true,
  })
  expect((await call('GET', `${HOSTS}/shcrt_b`)).body.certificate).toBe('of another authority')
  const { body: state } = await call('GET', '/_sim/state')
  const again = await simulate({ fixture: state })
  expect((await again.as('sim_admin')('GET', `${HOSTS}/shcrt_a`)).body.certificate).toBe(signed.certificate)
  const posted = await call('POST', '/_sim/db/ssh_user_certificates', given)
  expect(posted.status).toBe(201)
  expect(readSshCertificate(posted.body.certificate).isSigned).toBe(true)
})
