import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { watchDefects } from '../../src/cli/process/run.ts'
import { Sandbox } from '../../src/sandbox/index.ts'
import { startEdgesim } from '../support/as-process.ts'

/** Throws where nobody catches it, whenever its input says so. */
const THROWS = `data:text/javascript,${encodeURIComponent(`
  process.stdin.on('data', text => {
    if (String(text) === 'throw') throw new Error('out of the blue')
    Promise.reject(new Error('into the dark'))
  }).unref()
`)}`

describe('An uncaught error', () => {
  it.each([
    ['throw', 'out of the blue'],
    ['reject', 'into the dark'],
  ])('of a %s is reported, and the server goes on with its state', async (how, message) => {
    const { child, call, until, stop } = await startEdgesim([], { env: { NODE_OPTIONS: `--import ${THROWS}` } })
    const made = await call('POST', '/api_keys', { description: 'before' })
    child.stdin.write(how)
    expect(await until(/"level":"error".*\n/)).toContain(
      `this is a defect of edgesim, please report it: Error: ${message}`,
    )
    expect((await call('GET', `/api_keys/${made.body.id}`)).body.description).toBe('before')
    expect((await call('POST', '/api_keys', {})).status).toBe(201)
    expect((await stop()).code).toBe(0)
  })

  it('during a half-applied change ends the process, and nothing more is written', () => {
    const sandbox = new Sandbox('torn', { base: {}, tokens: [], assumed: {} }, () => {})
    const broken = {
      id: 'ak_x',
      get token_sha256(): string {
        throw new Error('a defect')
      },
    }
    const put = (after: { id: string }) =>
      sandbox.commit({ kind: 'record', id: after.id }, [{ table: 'api_keys', id: after.id, before: null, after }])
    put({ id: 'ak_good' })
    expect(() => put(broken)).toThrow('a defect')
    expect(() => put({ id: 'ak_y' })).toThrow(/half made.*restart/)
    const told: string[] = []
    let ended = 0
    const emitter = new EventEmitter()
    const log = { onNotice: ({ text }: { text: string }) => void told.push(text) }
    watchDefects({ isSound: () => !sandbox.halfApplied }, log, () => ended++, emitter)
    emitter.emit('uncaughtException', new Error('a defect'))
    expect(told).toEqual([expect.stringContaining('a defect'), expect.stringContaining('half made')])
    expect(ended).toBe(1)
  })
})
