import { describe, expect, it } from 'vitest'
import { type Command, commands } from '../../src/cli/commands/commands.ts'
import { toFlag } from '../../src/cli/resolve.ts'
import { version } from '../../src/files/package.ts'
import { optionNames } from '../../src/options/options.ts'
import { folderWith } from '../support/afterwards.ts'
import { edgesimHere } from '../support/in-process.ts'

/** Wrong use prints one line and ends with 2. */
async function refused(args: string[], env?: Record<string, string>) {
  const { code, out, err } = await edgesimHere(args, { env, cwd: folderWith({ 'fixture.json': '{}' }) })
  expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
  expect(err).toMatch(/^edgesim: /)
  return err
}

const NO_ORIGIN = /--cors: must be origins like http:\/\/localhost:5173/

describe('Wrong use of the command line', () => {
  it.each([
    ['an unknown option', ['--prot', '1'], /no option --prot\. Did you mean --port\?/],
    ['an unknown option of several words', ['--max-sandboxs=3'], /--max-sandboxs\. Did you mean --max-sandboxes\?/],
    ['an unknown option without a near one', ['--zzzzzz'], /no option --zzzzzz\. See edgesim --help/],
    ['an option without its value', ['--port'], /--port needs a value/],
    ['an empty value', ['--db', ''], /--db: must not be empty/],
    ['a port that is not a number', ['--port', 'abc'], /--port: must be a whole number; it is "abc"/],
    ['a port with half a fraction', ['--port', '80.'], /--port: must be a whole number; it is "80\."/],
    ['a port in another notation', ['--port', '0x50'], /--port: must be a whole number; it is "0x50"/],
    ['a port out of range', ['--port', '70000'], /a whole number from 0 to 65535; it is 70000/],
    ['a choice there is not', ['--log', 'loud'], /--log: must be one of pretty, json, silent; it is "loud"/],
    ['a vendor that is not a word', ['--vendor', 'a b'], /--vendor: must be a letter and then .*; it is "a b"/],
    ['a clock that is not a time', ['--clock', 'noon'], /--clock: must be an RFC 3339 time .*; it is "noon"/],
    ['an origin without a scheme', ['--cors', 'localhost:5173'], NO_ORIGIN],
    ['an origin with a path', ['--cors', 'http://localhost:5173/'], NO_ORIGIN],
    ['a star as the origin', ['--cors', '*'], NO_ORIGIN],
    ['an invalid base URL', ['--base-url', 'x'], /--base-url: must be a URL .*; it is "x"/],
    [
      'an unknown assumption',
      ['--assume', 'mising_version=accept'],
      /"mising_version"\. Did you mean missing_version\?/,
    ],
    [
      'an unknown value of an assumption',
      ['--assume', 'page_order=x'],
      /page_order must be one of newest_first, oldest_first; it is "x"/,
    ],
    ['an assumption without a value', ['--assume', 'page_order'], /write page_order=VALUE, with one of newest_first/],
    ['an assumption that has no other value', ['--assume', 'page_size=7'], /page_size cannot be changed/],
    ['a misspelt command', ['validat'], /no command "validat"\. Did you mean edgesim validate\?/],
    [
      'a misspelt command and its file',
      ['valdate', 'x.json'],
      /no command "valdate"\. Did you mean edgesim validate\?/,
    ],
    ['a command as others call it', ['serve', 'fixture.json'], /no command "serve"\. Did you mean edgesim start\?/],
    [
      'a word that is neither a command nor a file',
      ['nope'],
      /no command and no fixture "nope"\. Commands: start, exec, env, health, val/,
    ],
    ['a misspelt name of a fixture', ['defualt'], /no command and no fixture "defualt"\. Did you mean default\?/],
    ['a misspelt file', ['fixtur.json'], /no file fixtur\.json\. Did you mean fixture\.json\?/],
    ['a file that does not exist', ['start', 'nofile.json'], /^edgesim: there is no file nofile\.json\.$/m],
    ['a name that no fixture has', ['start', 'nofile'], /no file and no fixture nofile\. Known: default, empty/],
    ['a second fixture', ['fixture.json', 'other.json'], /unexpected argument "other\.json"/],
    ['a word after a command that takes none', ['assumptions', 'all'], /unexpected argument "all"/],
    ['a word after init', ['init', 'here'], /unexpected argument "here"/],
    ['validate without a file', ['validate'], /^edgesim: validate needs a file: edgesim validate FILES…$/m],
    ['an option that another command has', ['init', '--port', '1'], /--port is not an option of this command/],
    ['a runner there is not', ['init', '--runner', 'jest'], /runner.*"jest".*"vitest", "playwright"/],
    [
      'import without a file',
      ['import'],
      /^edgesim: import needs the file that it writes: edgesim import --out FILE$/m,
    ],
    [
      'import with a file of another kind',
      ['import', '--out', 'a.txt'],
      /--out a\.txt: must end in \.json, \.yaml or \.yml/,
    ],
    [
      'import without a key',
      ['import', '--out', 'a.json'],
      /the API key for api\.ngrok\.com is not known\. Set EDGESIM_API_KEY/,
    ],
    [
      'an import at no pace',
      ['import', '--out', 'a.json', '--pace', '0'],
      /--pace: must be a whole number from 1 to 60000; it is 0/,
    ],
    ['exec without a command', ['exec'], /exec needs a command after --: edgesim exec/],
    [
      'exec without the dashes',
      ['exec', 'npm', 'test'],
      /unexpected argument "test"\. Put -- before the command: edgesim exec -- npm test/,
    ],
    ['a misspelt scenario', ['--scenario', 'flaky-write'], /no scenario flaky-write\. Did you mean flaky-writes\?$/m],
    ['exec with a fixture that does not exist', ['exec', 'fixtur.json', '--', 'true'], /Did you mean fixture\.json\?/],
    ['a variable of neither', ['exec', '--env', 'A=b', '--', 'true'], /--env A=b: write NAME=url or NAME=token/],
    ['an unknown assumption to vary', ['exec', '--vary', 'page_oder', '--', 'true'], /Did you mean page_order\?/],
    [
      'a host others can reach, without a token',
      ['--host', '0.0.0.0'],
      /--host 0\.0\.0\.0 can be reached .*--control-token/,
    ],
    ['a host of IPv6 that others can reach', ['--host', '::'], /--host :: can be reached .*--control-token/],
    ['an address of another machine, without a token', ['--host', '192.0.2.7'], /can be reached .*--control-token/],
    [
      'the fixture as the database',
      ['fixture.json', '--db', 'fixture.json'],
      /--db and the fixture are the same file, .*fixture\.json, and a fixture is never written to/,
    ],
    ['zero sandboxes', ['--max-sandboxes', '0'], /a whole number from 1; it is 0/],
  ])('is refused: %s', async (_, args, line) => {
    expect(await refused(args)).toMatch(line)
  })

  it('is refused: a key that would be sent over plain HTTP', async () => {
    const args = ['import', '--out', 'a.json', '--url', 'http://example.com']
    expect(await refused(args, { EDGESIM_API_KEY: 'k' })).toMatch(/must be https, since the key is sent there/)
  })

  it('names the variable that holds a wrong value', async () => {
    expect(await refused([], { EDGESIM_PORT: 'abc' })).toMatch(/EDGESIM_PORT: must be a whole number; it is "abc"/)
    expect(await refused([], { EDGESIM_FRESH: 'maybe' })).toMatch(/EDGESIM_FRESH: must be true or false; it is "maybe"/)
    expect(await refused([], { EDGESIM_ASSUME: 'page_order=x' })).toMatch(/EDGESIM_ASSUME: page_order must be one of/)
  })
})

describe('The command line', () => {
  it('lists commands and options with --help', async () => {
    const { code, out } = await edgesimHere(['--help'])
    expect(code).toBe(0)
    for (const word of ['validate', 'assumptions', 'openapi', '--port', '--vendor', '--db', '--log'])
      expect(out).toContain(word)
  })

  it('accepts help as a command, and -v', async () => {
    const help = await edgesimHere(['--help'])
    expect(await edgesimHere(['help'])).toEqual(help)
    expect(await edgesimHere(['help', 'exec'])).toEqual(await edgesimHere(['exec', '--help']))
    expect(await edgesimHere(['-v'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it.each(Object.entries<Command>(commands))('shows examples and options with %s --help', async (name, command) => {
    const { code, out, err } = await edgesimHere([name, '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(new RegExp(`^edgesim ${command.usage.replace(/[[\]]/g, '\\$&')}`, 'm'))
    const shownExamples = out.slice(out.indexOf('Examples:')).split(/\s+/)
    expect(shownExamples).toEqual(
      expect.arrayContaining(command.examples.flatMap(pair => pair.join(' ').trim().split(' '))),
    )
    const shown = [...out.matchAll(/^ +(?:-\w, )?--([\w-]+)/gm)].map(([, flag]) => flag)
    expect(shown).toEqual(expect.arrayContaining(Object.keys(command.own ?? {})))
    for (const option of optionNames.filter(each => each !== 'fixture' || !command.positional))
      expect(shown.includes(toFlag(option)), option).toBe(
        command.options.includes(option) || Object.hasOwn(command.own ?? {}, toFlag(option)),
      )
  })

  it('lists every assumption, with the value in force and the flag that flips it', async () => {
    const { code, out } = await edgesimHere(['assumptions', '--assume', 'page_order=oldest_first'])
    expect(code).toBe(0)
    expect(out).toMatch(/^missing_version = reject\n( {2}.+\n)+ {2}--assume missing_version=accept\n/m)
    expect(out).toMatch(/^page_order = oldest_first$/m)
    expect(out).toMatch(/^empty_policy_list_on_update = clear\n( {2}.+\n)+ {2}--assume \w+=keep\|reject\n/m)
    expect(out).toMatch(/^error_shape = .+$/m)
  })
})
