import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands/commands.ts'
import { readAccount, readPace, type Terminal } from '../../src/cli/process/account.ts'
import { terminalWith } from './terminal.ts'

const nobody = { input: { isTTY: false }, output: { isTTY: true } } as Terminal
const key = { EDGESIM_API_KEY: 'from-env' }

describe('The account of a command', () => {
  it('has the URL of the known vendor, and the key from the environment', async () => {
    expect(await readAccount({}, key)).toEqual({ url: 'https://api.ngrok.com', vendor: 'ngrok', key: 'from-env' })
  })

  it('has the URL and the vendor from the options', async () => {
    const own = 'http://127.0.0.1:4600/'
    const at = { url: 'http://127.0.0.1:4600', key: 'from-env' }
    expect(await readAccount({ url: own }, key)).toEqual({ ...at, vendor: 'service' })
    const url = ['https://x.example', own]
    expect(await readAccount({ url, vendor: 'Acme' }, key)).toEqual({ ...at, vendor: 'acme' })
  })

  it('has the typed key, which is not shown', async () => {
    const terminal = terminalWith('typex\bed\r')
    expect(await readAccount({ url: 'http://127.0.0.1:1' }, {}, terminal)).toMatchObject({ key: 'typeed' })
    expect(terminal.shown()).toBe('API key for 127.0.0.1:1 (hidden): \n')
  })

  it.each([
    ['stdin is not a terminal', nobody, 'No API key for api.ngrok.com. Set EDGESIM_API_KEY.'],
    ['nothing is typed', terminalWith('\r'), 'must be a non-empty string of visible ASCII characters'],
    ['Ctrl-C is typed', terminalWith('abc\x03'), 'non-empty string'],
  ])('has no key if %s', async (_, terminal, message) => {
    await expect(readAccount({}, {}, terminal)).rejects.toThrow(message)
  })

  it('rejects a key with a line break, without showing it', async () => {
    const error = await readAccount({}, { EDGESIM_API_KEY: 'se\ncret' }).catch((error: Error) => error)
    expect(error).toMatchObject({ name: 'UsageError', message: expect.not.stringMatching(/se|cret/) })
  })

  it.each([
    [{ url: 'nowhere' }, '--url: must be a URL'],
    [{ vendor: 'a b' }, '--vendor: must be a letter'],
  ])('rejects %j', async (own, message) => {
    await expect(readAccount(own, key)).rejects.toThrow(message)
  })

  it('gets 60 requests per minute by default', () => {
    expect(commands.import.own.pace.describe).toContain(`[default: ${readPace(undefined)}]`)
    expect([readPace(undefined), readPace('1'), readPace(['1', '60000'])]).toEqual([60, 1, 60_000])
    for (const wrong of ['0', '60001', '1.5', '-1', '', 'fast'])
      expect(() => readPace(wrong)).toThrow('--pace: must be an integer from 1 to 60000, got ')
  })
})
