import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { runCommand } from '../../src/cli/full-command-line.ts'
import { readPlainStart } from '../../src/cli/plain-start.ts'
import { edgesimHere } from '../support/in-process.ts'
import { LONG } from '../support/long.ts'

const WORDS = [
  ...['start', 'exec', 'my.json', 'empty', '--', '-p', '-h', '--help', '--port', '0', '70000', '--port=4601', 'x=y'],
  ...['--fresh', '--no-fresh', '--fresh=false', '--tls', 'false', '--vendor', 'ngrok', '--vendor=', '--seed', '007'],
  ...['--cors', 'http://a.test', 'http://b.test', '--assume', 'page_order=oldest_first', '--db', '-1', '1e3', ''],
  ...['--max-sandboxes', '--maxSandboxes', '--delay', '5ms', '--nope', '-x', "'quoted'", '--log=json', '--watch'],
]

async function full(argv: string[]) {
  let out = ''
  const log = vi.spyOn(console, 'log').mockImplementation(text => {
    out += `${text}\n`
  })
  try {
    return { code: await runCommand([...argv, '--print-config'], {}), out }
  } catch (error) {
    return (error as Error).message
  } finally {
    log.mockRestore()
  }
}

it('The plain start parser agrees with the full command line, or defers to it', async () => {
  let plain = 0
  const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(words, async argv => {
      if (!readPlainStart(argv)) return
      plain++
      const expected = await full(argv)
      const { code, out, err } = await edgesimHere([...argv, '--print-config'])
      expect(typeof expected === 'string' ? `edgesim: ${expected}\n` : expected).toEqual(
        typeof expected === 'string' ? err : { code, out },
      )
    }),
    {
      numRuns: LONG ? 600 : 200,
      examples: [[['--tls', 'false']], [['--fresh', 'true']], [['start', 'start']], [['-p', '0', '-p', '1']]],
    },
  )
  expect(plain).toBeGreaterThan(20)
})
