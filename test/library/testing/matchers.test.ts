import { describe, it, expect as plain } from 'vitest'
import { startSimulator } from '../../../src/index.ts'
import { expect } from '../../../src/library/testing/vitest.ts'
import { afterwards } from '../../support/afterwards.ts'
import { callsOf } from '../../support/http.ts'

const server = await startSimulator()
const sandbox = await server.sandbox('shop')
afterwards(() => server.close())
for (const description of ['first', 'second']) await callsOf(sandbox).call('POST', '/api_keys', { description })
const created = { operation: 'create_api_key' } as const

describe('toHaveReceived', () => {
  it('passes if the sandbox received the requests, and with .not if it did not', async () => {
    await expect(sandbox).toHaveReceived(created)
    await plain(sandbox).toHaveReceived({ ...created, count: 2 })
    await expect(sandbox).toHaveReceived({
      sequence: [created, { ...created, where: { 'body.description': 'second' } }],
    })
    await expect(sandbox).not.toHaveReceived({ operation: 'delete_api_key' })
    await expect(sandbox).not.toHaveReceived({ ...created, count: 1 })
  })

  it('fails with the closest request', async () => {
    const where = { 'body.description': 'frist' }
    await expect(expect(sandbox).toHaveReceived({ ...created, where })).rejects.toThrow(
      /Expected .*\nClosest:\n {2}POST \/api_keys \(op_\w+\): body\.description must be "frist", got "\w+"/,
    )
  })

  it('fails with the matching requests if they were not expected', async () => {
    await expect(expect(sandbox).not.toHaveReceived(created)).rejects.toThrow(
      /^The sandbox shop received \{"operation":"create_api_key"\}\. Matching:\n( {2}201 POST \/api_keys \(op_\w+\)\n?){2}$/,
    )
  })

  it.each(['', 'not'])('fails for an unknown operation or another value, %s', async not => {
    const check = (value: unknown) => (not ? expect(value).not : expect(value))
    const unknown = { operation: 'creat_api_key' as 'create_api_key' }
    await expect(check(sandbox).toHaveReceived(unknown)).rejects.toThrow('Did you mean create_api_key?')
    await expect(check(server.url).toHaveReceived(created)).rejects.toThrow('toHaveReceived requires a sandbox')
  })
})
