import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'

/** Public keys from ssh-keygen, by type. */
export const sshKeys = {
  ed25519: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILZkdT7kDFKqUgy4eqi1eCTCHYomfYIxqR8AHKczpTjc made for tests',
  p256: [
    'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBJsRtPi6BU/WFFSci+IpmvukCQZRtQEJFTBLsZ',
    'StAQJp9ueiHDRNc9xlV/nqHNrhq/uIbOhVPNKkiAHB6AbFvAI= made for tests',
  ].join(''),
  p384: [
    'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBHF+x40spt12zlug2N83zB+/8E2ci1IRahDdEw',
    'yv/OXfCQdg4sWG9XIx/+IEHBy/sbIuVKd3o0dcZ95sIpa/wOYQb4P9uh09YR7Lz3zAF8xjXcw5CMjH+Y5hLN83fiqZrA==',
  ].join(''),
  p521: [
    'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBACCL72ODK3AwdRceqHcKqKHtZpcx5/jwE/NsaS5cfjcGg',
    'RWwpIJ8lYJTBv2nuB3ou+Evk64MEKQdSyG8iovH6hORAC/6J1YLF+X1njCRY6N1bbh2tuVbLUnTq5OvESwrT3F/J+BlVbsxERKSvhbtzJWPI0CZ61eDu0l',
    'syRnZtRjXvGIuQ==',
  ].join(''),
  rsa: [
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDciurcz+1b3BOiKI4QzHpb+eVZfQeseCVt1nBhkbO8fQs4207R0yT90ZdoOfvxhDDx7UegkAjv3KnIVClz',
    'odRDFxCiGoh7zE8YyhKTWadMicWwxitxbhZdEYYtppk06HUM7DZbe1yCHWJA5TFKHKsOutpq8b2OVEF1TtelSu/qjw== made for tests',
  ].join(''),
}

/** Reads SSH's binary format. */
function reader(bytes: Buffer) {
  let at = 0
  const take = (size: number) => {
    at += size
    return bytes.subarray(at - size, at)
  }
  const string = () => take(take(4).readUInt32BE())
  return { take, string, place: () => at, atEnd: () => at === bytes.length }
}

/** Number of strings in a certificate's key. */
const KEY_PARTS: Record<string, number> = { ssh: 1, ecdsa: 2 }

/** Parses a certificate and verifies its signature, without the code under test. */
export function readSshCertificate(text: string) {
  const [type, base64, comment] = text.split(' ') as [string, string, string]
  const bytes = Buffer.from(base64, 'base64')
  const { take, string, place, atEnd } = reader(bytes)
  const name = String(string())
  const nonce = string()
  const parts = type.startsWith('ssh-rsa') ? 2 : KEY_PARTS[type.split('-')[0]!]!
  for (let i = 0; i < parts; i++) string()
  const serial = take(8).readBigUInt64BE()
  const subject = { 1: 'user', 2: 'host' }[take(4).readUInt32BE()]
  const keyId = String(string())
  const principals = listOf(string())
  const [after, before] = [take(8), take(8)].map(each => Number(each.readBigUInt64BE()))
  const [critical, extensions] = [string(), string()].map(optionsOf)
  string()
  const signedBy = string()
  const signed = bytes.subarray(0, place())
  const signature = string()
  return {
    ...{ type, name, comment, nonceBytes: nonce.length, serial, subject, keyId, principals },
    ...{ after, before, critical, extensions, signedBy: signedBy.toString('base64') },
    isComplete: atEnd(),
    isSigned: isSigned(signedBy, signed, signature),
  }
}

function listOf(bytes: Buffer): string[] {
  const { string, atEnd } = reader(bytes)
  const found: string[] = []
  while (!atEnd()) found.push(String(string()))
  return found
}

function optionsOf(bytes: Buffer): Record<string, string> {
  const { string, atEnd } = reader(bytes)
  const found: Record<string, string> = {}
  while (!atEnd()) {
    const name = String(string())
    const data = string()
    found[name] = data.length === 0 ? '' : String(reader(data).string())
  }
  return found
}

function isSigned(key: Buffer, data: Buffer, signature: Buffer): boolean {
  const { string } = reader(key)
  const type = String(string())
  const { string: part } = reader(signature)
  const how = String(part())
  const value = part()
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const jwk = (parts: JsonWebKey) => createPublicKey({ format: 'jwk', key: parts })
  if (type === 'ssh-ed25519')
    return how === type && verify(null, data, jwk({ kty: 'OKP', crv: 'Ed25519', x: text(string()) }), value)
  if (type === 'ssh-rsa') {
    const [e, n] = [string(), string()].map(text)
    return how === 'rsa-sha2-512' && verify('sha512', data, jwk({ kty: 'RSA', e, n }), value)
  }
  const bits = Number(String(string()).slice('nistp'.length))
  const point = string()
  const size = Math.ceil(bits / 8)
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)].map(text)
  const publicKey = jwk({ kty: 'EC', crv: `P-${bits}`, x, y })
  const { string: number } = reader(value)
  const both = [number(), number()].map(each => Buffer.concat([Buffer.alloc(size), each]).subarray(-size))
  const digest = { 256: 'sha256', 384: 'sha384', 521: 'sha512' }[bits]!
  return how === type && verify(digest, data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.concat(both))
}
