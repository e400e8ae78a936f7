import { describe, expect, it } from 'vitest'
import { edgesimHere, simulate } from '../../support/in-process.ts'

const NO_EFFECT = /^edgesim: Use either --scenario or --url: --scenario has no effect on a running simulator/
const UNREACHABLE = /^edgesim: Cannot reach the simulator at http:\S+:1: .*\. Start it with npx edgesim, or omit --url/

describe('edgesim mcp rejects before it serves:', async () => {
  const nobody = 'http://127.0.0.1:1'
  const { url } = await simulate({ controlToken: 'secret' })
  it.each<[string, string[], number, RegExp]>([
    ['an invalid address', ['--url', 'localhost'], 2, /^edgesim: --url: must be a URL like/],
    ['an unreachable simulator', ['--url', nobody], 1, UNREACHABLE],
    ['a missing control token', ['--url', url], 1, /Set --control-token\./],
    ['options for another simulator', ['--url', nobody, '--scenario', 'outage'], 2, NO_EFFECT],
    ['a fixture for another simulator', ['default', '--url', nobody], 2, /^edgesim: Use either --fixture or --url/],
    ['an invalid name', ['--sandbox', 'No'], 2, /^edgesim: --sandbox: must match .*, got "No"/],
    ['an unknown fixture', ['nothing.json'], 2, /File not found: nothing\.json/],
    ['a misspelt option', ['--urll', nobody], 2, /Did you mean --url\?/],
  ])('%s', async (_, args, wanted, says) => {
    const { code, out, err } = await edgesimHere(['mcp', ...args])
    expect({ code, out, err }).toEqual({ code: wanted, out: '', err: expect.stringMatching(says) })
  })
})
