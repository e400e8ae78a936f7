import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runSimulator } from '../../../src/simulator/simulator.ts'
import { simulate } from '../../support/in-process.ts'
import { talk } from '../../support/raw-http.ts'

/** External addresses of this machine. Link-local addresses need the interface. */
const addresses = Object.entries(networkInterfaces()).flatMap(([name, list]) =>
  (list ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => (address.startsWith('fe80:') ? `${address}%${name}` : address)),
)
const hasIPv6 = Object.values(networkInterfaces()).some(list => list?.some(({ address }) => address === '::1'))

const responses = async (host: string, port: number) => (await talk(port, '', { host })).error === undefined

describe('Without --host', async () => {
  const { port } = await simulate()

  it('127.0.0.1 responds, and ::1 if the machine supports it', async () => {
    expect(await responses('127.0.0.1', port)).toBe(true)
    expect(await responses('::1', port)).toBe(hasIPv6)
  })

  it.runIf(addresses.length > 0)('no other address of the machine responds', async () => {
    for (const address of addresses) expect(await responses(address, port), address).toBe(false)
  })
})

describe('--host', () => {
  it.each([
    ...'0.0.0.0 :: 192.0.2.1 example.com 127.0.0.1.evil.com ::ffff:0.0.0.0'.split(' '),
  ])('rejects %j without a control token', async host => {
    await expect(runSimulator({ port: 0, host })).rejects.toThrow(/--host.*--control-token/)
    await expect(runSimulator({ port: 0, host, controlToken: '' })).rejects.toThrow(/controlToken: must not be empty/)
  })

  it('accepts 0.0.0.0 with a control token', async () => {
    const { port } = await simulate({ host: '0.0.0.0', controlToken: 'secret' })
    for (const address of ['127.0.0.1', ...addresses.filter(each => !each.includes(':'))])
      expect(await responses(address, port), address).toBe(true)
  })

  it.each(['127.0.0.1', 'localhost'])('accepts %s without a control token', async host => {
    const { port } = await simulate({ host })
    expect(await responses(host, port)).toBe(true)
  })
})
