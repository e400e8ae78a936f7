import type { Options } from 'yargs'
import { vendorHosts } from '../../contract/names.ts'
import { type OptionName, optionNames, options } from '../../options/options.ts'

export interface Command {
  /** What follows `edgesim` in the help. */
  usage: string
  /** What other tools call it. */
  alsoCalled?: string[]
  describe: string
  positional?: { name: string; many?: true; describe: string }
  /** The options it uses; others are rejected. */
  options: OptionName[]
  /** Where it has other defaults than the rest. */
  defaults?: Partial<Record<OptionName, unknown>>
  /** Options of its own. */
  own?: Record<string, Options>
  examples: [command: string, what: string][]
}

const without = (...names: OptionName[]) => optionNames.filter(name => !names.includes(name))
const fixture = { name: 'fixture', describe: options.fixture.describe }

/** An option that takes one text. */
const text = (describe: string): Options => ({ type: 'string', nargs: 1, describe })

/** One that takes all words that follow. */
const words = (describe: string): Options => ({ type: 'string', array: true, describe })

/** One that takes a text each time it is given. */
const texts = (describe: string): Options => ({ ...words(describe), nargs: 1 })

/** How a command finds an account of the real service. Its key is in EDGESIM_API_KEY: it is no option. */
const account = {
  url: text(`The address of the API [default: https://${vendorHosts('ngrok').api}]`),
  vendor: text('The word in the version header [default: as the host of --url says]'),
  pace: text('Requests per minute at most, of the 120 that the service allows [default: 60]'),
} satisfies Record<string, Options>

/** How a command finds a simulator that runs. */
const urlOfRunning = text('Where the simulator runs [default: this machine at --port, or EDGESIM_URL]')

/** The shells that yargs can complete words in. */
export const SHELLS = ['bash', 'zsh', 'fish']

/** What the first word can be; anything else names a fixture. */
export const commands = {
  start: {
    usage: '[start] [FIXTURE]',
    alsoCalled: ['serve', 'run', 'server', 'up'],
    describe: 'Start the simulator',
    positional: fixture,
    options: optionNames,
    examples: [
      ['', 'serve the default fixture on 127.0.0.1:4600'],
      ['my-fixture.json --port 0', 'serve a fixture of your own on any free port'],
      ['--scenario flaky-writes --seed 1', 'fail on purpose, the same way every time'],
      ['--assume missing_version=accept', 'accept requests without the version header'],
      ['--vendor ngrok', 'expect the version header that the public SDKs send'],
    ],
  },
  exec: {
    usage: 'exec [FIXTURE] [--as HOST] [--vary [NAME…]] -- CMD…',
    describe: 'Run a command against a simulator of its own, and exit with its exit code',
    positional: fixture,
    options: without('watch', 'open', 'printConfig'),
    defaults: { port: 0, log: 'silent' },
    own: {
      env: texts('NAME=url or NAME=token: another variable for the command, beside EDGESIM_URL and EDGESIM_TOKEN'),
      report: texts(
        'Write what the run touched to this file, as .json, .html or .xml (for JUnit readers); may be repeated',
      ),
      'fail-under': text('Exit with 4 when fewer percent of the operations (of --operations, or all) were called'),
      har: text('Write all requests of the run to this file, as HAR, for the network panel of a browser'),
      vary: words(
        'Run the command again with each assumption (of those named, or of all) changed, and report which ones matter',
      ),
      'fail-on-vary': { type: 'boolean', describe: 'With --vary: exit with 4 when an assumption matters' },
    },
    examples: [
      ['exec -- npm test', 'the tests find the simulator in EDGESIM_URL and EDGESIM_TOKEN'],
      ['exec my-fixture.json --env API_URL=url --env API_KEY=token -- npm test', 'or in variables of your own'],
      ['exec --as api.example.com -- npm test', 'for programs that have this address built in'],
      ['exec --har run.har -- npm test', 'what was asked and answered, and why, to look at in a browser'],
      ['exec --report run.html -- npm test', 'which operations were called, which never, and what went wrong'],
      ['exec --vary -- npm test', 'which assumptions do the tests depend on?'],
    ],
  },
  env: {
    usage: 'env [--url URL]',
    describe: 'Print the variables by which programs find a running simulator: eval "$(edgesim env)"',
    options: ['port', 'controlToken'],
    own: {
      url: urlOfRunning,
      json: { type: 'boolean', describe: 'Print them as JSON' },
    },
    examples: [
      ['--as api.example.com &', 'first start one that stands in for a host'],
      ['env', 'then, in the shell whose programs should use it: eval "$(edgesim env)"'],
    ],
  },
  health: {
    usage: 'health [--url URL]',
    alsoCalled: ['healthcheck', 'ping', 'status'],
    describe: 'Ask a running simulator whether it can serve: exit with 0 if it can, else with 1',
    options: ['port', 'tls', 'tlsDir', 'tlsCert', 'tlsKey'],
    own: { url: urlOfRunning },
    examples: [
      ['health', 'of the one on this machine; it needs no control token'],
      ['health --url https://edgesim.example:4600', 'of another; EDGESIM_CERTIFICATE names the certificate to trust'],
    ],
  },
  validate: {
    usage: 'validate FILES…',
    alsoCalled: ['check', 'lint', 'verify', 'test'],
    describe: 'Check fixtures and scenarios',
    positional: { name: 'files', many: true, describe: 'JSON or YAML files; - is stdin' },
    options: ['fixture', 'fixturesDir', 'assume'],
    own: { json: { type: 'boolean', describe: 'Print what is wrong as JSON' } },
    examples: [
      ['validate my-fixture.json', 'prints file:line:column, what is wrong, and the nearest valid name'],
      [
        'validate --fixture my-fixture.json scenarios/*.yaml',
        'check scenarios against the fixture whose ids they name',
      ],
    ],
  },
  import: {
    usage: 'import --out FILE [--url URL]',
    alsoCalled: ['pull', 'download'],
    describe: 'Read an account of the real service, with GET alone, and write a fixture of it',
    options: [],
    own: {
      out: text('The fixture to write, as .json, .yaml or .yml'),
      ...account,
      'keep-texts': {
        type: 'boolean',
        describe: 'Keep descriptions, metadata and other texts, into which people write secrets',
      },
      anonymise: { type: 'boolean', describe: 'Replace ids, names, hosts and addresses' },
      force: { type: 'boolean', describe: 'Overwrite the file' },
    },
    examples: [
      ['import --out account.yaml', 'the key is in EDGESIM_API_KEY, or is asked for'],
      ['import --out account.json --anonymise', 'to share it with others'],
      ['account.yaml --vendor ngrok', 'then serve it'],
    ],
  },
  init: {
    usage: 'init',
    alsoCalled: ['new', 'create'],
    describe: 'Write a fixture, a scenario, a configuration and a test to start from',
    options: [],
    own: { runner: { choices: ['vitest', 'playwright'], describe: 'What runs the test [default: vitest]' } },
    examples: [['init --runner playwright', 'for Playwright; existing files are kept']],
  },
  assumptions: {
    usage: 'assumptions',
    describe: 'List what the API document leaves open, and what is assumed',
    options: ['assume'],
    examples: [['assumptions', 'each with its reason, what public sources say, and the flag that changes it']],
  },
  openapi: {
    usage: 'openapi',
    describe: 'Print the OpenAPI document of the simulated API',
    options: ['port', 'baseUrl', 'vendor', 'assume'],
    examples: [
      ['openapi --vendor ngrok > openapi.json', 'with the version header of that vendor'],
      ['openapi --assume ngrok', 'with the fields that are required under these assumptions'],
    ],
  },
  probe: {
    usage: 'probe --plan [NAME…] | --run [NAME…] [--url URL] [--out FILE] | sweep JOURNAL',
    describe: 'Ask the real service which assumptions hold, with the key in EDGESIM_API_KEY',
    positional: {
      name: 'words',
      many: true,
      describe: 'sweep and a journal: delete what a run that was killed has left',
    },
    options: [],
    own: {
      plan: words('Print every request that a run would send, and send none'),
      run: words('Send them, for the assumptions that are named or for all; what is made is deleted'),
      out: text('Write what was found to this file, for --assume; if it exists, say what has changed since'),
      account: text('The id of an API key or a user of the account, if the account is not empty'),
      ...account,
    },
    examples: [
      ['probe --plan', 'every request that would be sent; nothing is'],
      ['probe --run --out evidence.json', 'with the key of an account for tests in EDGESIM_API_KEY'],
      ['--assume evidence.json', 'then a simulator that answers as the service did'],
    ],
  },
  mcp: {
    usage: 'mcp [FIXTURE] [--url URL]',
    describe: 'Serve coding agents over the Model Context Protocol, on stdin and stdout',
    positional: fixture,
    options: without('watch', 'open', 'printConfig', 'failOnUnused', 'as', 'passThrough'),
    defaults: { port: 0 },
    own: {
      url: text('Talk to the simulator that runs there; without it, one of its own is started'),
      sandbox: text('The sandbox that tools are about where none is given, made if there is none [default: default]'),
    },
    examples: [
      ['mcp', 'what an agent starts: a simulator on any free port, and tools to steer it'],
      ['mcp --url http://127.0.0.1:4600 --sandbox mine', 'steer one that runs, in a sandbox of your own'],
    ],
  },
  completion: {
    usage: 'completion [SHELL]',
    describe: 'Print a script that completes commands, options and their values in bash, zsh or fish',
    positional: { name: 'shell', describe: `${SHELLS.join(', ')}; the one in use unless given` },
    options: [],
    examples: [
      ['completion bash >> ~/.bashrc', 'complete edgesim with the Tab key, in every new shell'],
      ['completion zsh >> ~/.zshrc', 'the same for zsh, after compinit'],
      ['completion fish > ~/.config/fish/completions/edgesim.fish', 'the same for fish'],
    ],
  },
} satisfies Record<string, Command>

export type CommandName = keyof typeof commands

export const COMMANDS = [...Object.keys(commands), 'help']
