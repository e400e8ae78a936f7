import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/commands/commands.ts'
import { readAccount, readPace, type Terminal } from '../../src/cli/process/account.ts'

/** Somebody who types this. */
function terminalWith(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const shown: string[] = []
  const output = { isTTY: true, write: (text: string) => shown.push(text) }
  input.write(typed)
  return { input, output, shown } as unknown as Terminal & { shown: string[] }
}
const nobody = { input: { isTTY: false }, output: { isTTY: true } } as Terminal
const key = { EDGESIM_API_KEY: 'from-env' }

describe('The account that a command talks to', () => {
  it('is that of the known vendor, with the key from the environment', async () => {
    expect(await readAccount({}, key)).toEqual({ url: 'https://api.ngrok.com', vendor: 'ngrok', key: 'from-env' })
  })

  it('is at another place if the options say so', async () => {
    const url = 'http://127.0.0.1:4600/'
    const at = { url: 'http://127.0.0.1:4600', key: 'from-env' }
    expect(await readAccount({ url }, key)).toEqual({ ...at, vendor: 'service' })
    expect(await readAccount({ url: ['https://x.example', url], vendor: 'Acme' }, key)).toEqual({
      ...at,
      vendor: 'acme',
    })
  })

  it('has the key that is typed, which is not shown', async () => {
    const terminal = terminalWith('typex\bed\r')
    expect(await readAccount({ url: 'http://127.0.0.1:1' }, {}, terminal)).toMatchObject({ key: 'typeed' })
    expect(terminal.shown).toEqual(['API key for 127.0.0.1:1 (hidden): ', '\n'])
  })

  it.each([
    ['nobody can be asked', nobody, 'No API key for api.ngrok.com. Set EDGESIM_API_KEY.'],
    ['nothing is typed', terminalWith('\r'), 'must be a non-empty string of visible ASCII characters'],
    ['Ctrl-C is typed', terminalWith('abc\x03'), 'non-empty string'],
  ])('is not known if %s', async (_, terminal, message) => {
    await expect(readAccount({}, {}, terminal)).rejects.toThrow(message)
  })

  it('has no key with a line end in it, and the message does not show it', async () => {
    const error = await readAccount({}, { EDGESIM_API_KEY: 'se\ncret' }).catch((error: Error) => error)
    expect(error).toMatchObject({ name: 'UsageError', message: expect.not.stringMatching(/se|cret/) })
  })

  it.each([
    [{ url: 'nowhere' }, '--url: must be a URL'],
    [{ vendor: 'a b' }, '--vendor: must be a letter'],
  ])('is not %j', async (own, message) => {
    await expect(readAccount(own, key)).rejects.toThrow(message)
  })

  it('is asked at a pace of 60 requests a minute, or as the option says', () => {
    expect(commands.import.own.pace.describe).toContain(`[default: ${readPace(undefined)}]`)
    expect([readPace(undefined), readPace('1'), readPace(['1', '60000'])]).toEqual([60, 1, 60_000])
    for (const wrong of ['0', '60001', '1.5', '-1', '', 'fast'])
      expect(() => readPace(wrong)).toThrow('--pace: must be an integer from 1 to 60000, got ')
  })
})
