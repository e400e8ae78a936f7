import type { Options } from 'yargs'
import { vendorHosts } from '../../ngrok/vendor.ts'
import { type OptionName, optionNames, options } from '../../simulator/options/options.ts'

export interface Command {
  /** Follows `edgesim` in the help. */
  usage: string
  /** Names of this command in other tools, for suggestions. */
  alsoCalled?: string[]
  describe: string
  positional?: { name: string; many?: true; describe: string }
  /** The shared options that it accepts. */
  options: OptionName[]
  /** Defaults that differ from the shared ones. */
  defaults?: Partial<Record<OptionName, unknown>>
  /** Options of this command only. */
  own?: Record<string, Options>
  examples: [command: string, what: string][]
}

const without = (...names: OptionName[]) => optionNames.filter(name => !names.includes(name))
const fixture = { name: 'fixture', describe: options.fixture.describe }

const oneValue = (describe: string): Options => ({ type: 'string', nargs: 1, describe })

/** Takes all words that follow. */
const valueList = (describe: string): Options => ({ type: 'string', array: true, describe })

const repeatable = (describe: string): Options => ({ ...valueList(describe), nargs: 1 })

/** Selects an account of the real API. Its key is in EDGESIM_API_KEY, never in an option. */
const account = {
  url: oneValue(`URL of the real API [default: https://${vendorHosts('ngrok').api}]`),
  vendor: oneValue('Vendor name in the version header [default: from the host of --url]'),
  pace: oneValue('Maximum requests per minute; the real API allows 120 [default: 60]'),
} satisfies Record<string, Options>

const urlOfRunning = oneValue('URL of the simulator [default: EDGESIM_URL, or 127.0.0.1 at --port]')

/** The shells that yargs has completion scripts for. */
export const SHELLS = ['bash', 'zsh', 'fish']

/** Any other first word is a fixture. */
export const commands = {
  start: {
    usage: '[start] [FIXTURE]',
    alsoCalled: ['serve', 'run', 'server', 'up'],
    describe: 'Start the simulator',
    positional: fixture,
    options: optionNames,
    examples: [
      ['', 'Serve the default fixture on 127.0.0.1:4600'],
      ['my-fixture.json --port 0', 'Serve your own fixture on any free port'],
      ['--scenario flaky-writes --seed 1', 'Inject faults, the same ones on every run'],
      ['--assume missing_version=accept', 'Accept requests without the version header'],
      ['--vendor ngrok', 'Expect the version header that ngrok SDKs send'],
    ],
  },
  exec: {
    usage: 'exec [FIXTURE] [--as HOST] [--vary [NAME…]] -- COMMAND…',
    describe: "Start a simulator, run COMMAND against it, and return COMMAND's exit code",
    positional: fixture,
    options: without('watch', 'open', 'printConfig'),
    defaults: { port: 0, log: 'silent' },
    own: {
      env: repeatable('Set a variable for COMMAND to the URL (NAME=url) or the token (NAME=token) (repeatable)'),
      report: repeatable('Write a coverage report to FILE: .json, .html, or .xml for JUnit (repeatable)'),
      'fail-under': oneValue(
        'Exit with code 4 if fewer than N% of the operations were called (all, or those in --operations)',
      ),
      har: oneValue('Write all requests to FILE in HAR format, for the network panel of a browser'),
      vary: valueList('Rerun COMMAND with each assumption changed (all, or those named), and report which ones matter'),
      'fail-on-vary': { type: 'boolean', describe: 'With --vary: exit with code 4 if an assumption matters' },
    },
    examples: [
      ['exec -- npm test', 'Run tests that read EDGESIM_URL and EDGESIM_TOKEN'],
      ['exec my-fixture.json --env API_URL=url --env API_KEY=token -- npm test', 'Use your own variable names'],
      ['exec --as api.example.com -- npm test', 'Test a client with a hard-coded host'],
      ['exec --har run.har -- npm test', 'Record every request and response, with explanations'],
      ['exec --report run.html -- npm test', 'Report the called operations, uncalled operations and errors'],
      ['exec --vary -- npm test', 'Find the assumptions that the tests depend on'],
    ],
  },
  env: {
    usage: 'env [--url URL]',
    describe: 'Print shell variables for clients of a running simulator: eval "$(edgesim env)"',
    options: ['port', 'controlToken'],
    own: {
      url: urlOfRunning,
      json: { type: 'boolean', describe: 'Print the variables as JSON' },
    },
    examples: [
      ['--as api.example.com &', 'First start a simulator for a hard-coded host'],
      ['env', 'Then, in the shell that runs the client: eval "$(edgesim env)"'],
    ],
  },
  health: {
    usage: 'health [--url URL]',
    alsoCalled: ['healthcheck', 'ping', 'status'],
    describe: 'Check that a running simulator is ready (exit code 0 if it is, 1 if not)',
    options: ['port', 'tls', 'tlsDir', 'tlsCert', 'tlsKey'],
    own: { url: urlOfRunning },
    examples: [
      ['health', 'Check the simulator on this machine (no control token needed)'],
      [
        'health --url https://edgesim.example:4600',
        'Check another one; EDGESIM_CERTIFICATE is the certificate file to trust',
      ],
    ],
  },
  validate: {
    usage: 'validate FILES…',
    alsoCalled: ['check', 'lint', 'verify', 'test'],
    describe: 'Check fixtures and scenarios',
    positional: { name: 'files', many: true, describe: 'JSON or YAML files, or - for stdin' },
    options: ['fixture', 'fixturesDir', 'assume'],
    own: { json: { type: 'boolean', describe: 'Print the problems as JSON' } },
    examples: [
      ['validate my-fixture.json', 'Print each problem as file:line:column, with the closest valid name'],
      [
        'validate --fixture my-fixture.json scenarios/*.yaml',
        'Check scenarios against the fixture that contains their IDs',
      ],
    ],
  },
  import: {
    usage: 'import --out FILE [--url URL]',
    alsoCalled: ['pull', 'download'],
    describe: 'Read an account of the real API, using only GET requests, and write a fixture',
    options: [],
    own: {
      out: oneValue('Fixture file to write (.json, .yaml or .yml)'),
      ...account,
      'keep-texts': {
        type: 'boolean',
        describe: 'Include descriptions, metadata and other free-text fields, which may contain secrets',
      },
      anonymise: { type: 'boolean', describe: 'Replace IDs, names, hosts and addresses' },
      force: { type: 'boolean', describe: 'Overwrite an existing file' },
    },
    examples: [
      ['import --out account.yaml', 'Read the API key from EDGESIM_API_KEY, or prompt for it'],
      ['import --out account.json --anonymise', 'Write a fixture that you can share'],
      ['account.yaml --vendor ngrok', 'Then serve it'],
    ],
  },
  init: {
    usage: 'init',
    alsoCalled: ['new', 'create'],
    describe: 'Create an example fixture, scenario, configuration file and test',
    options: [],
    own: {
      runner: { choices: ['vitest', 'playwright'], describe: 'Test runner [default: vitest]' },
      vendor: oneValue('Vendor name in the version header [default: prompt in a terminal]'),
    },
    examples: [
      ['init --runner playwright', 'Create a Playwright test; existing files are unchanged'],
      ['init --vendor ngrok', 'Configure the version header that ngrok SDKs send'],
    ],
  },
  assumptions: {
    usage: 'assumptions',
    describe: 'List undocumented behaviour and what edgesim assumes',
    options: ['assume'],
    examples: [['assumptions', 'Show each assumption with its reason, public sources and flag']],
  },
  openapi: {
    usage: 'openapi',
    describe: 'Print the OpenAPI description of the simulated API',
    options: ['port', 'baseUrl', 'vendor', 'assume'],
    examples: [
      ['openapi --vendor ngrok > openapi.json', "Use ngrok's version header"],
      ['openapi --assume ngrok', 'Apply the ngrok preset, which changes required fields'],
    ],
  },
  probe: {
    usage: 'probe --plan [NAME…] | --run [NAME…] [--url URL] [--out FILE] | sweep JOURNAL',
    describe: 'Check assumptions against the real API, with the key in EDGESIM_API_KEY',
    positional: {
      name: 'words',
      many: true,
      describe: 'sweep JOURNAL: delete the records that a killed run left behind',
    },
    options: [],
    own: {
      plan: valueList('Print every request of a run without sending it'),
      run: valueList('Check the named assumptions, or all, and delete every created record'),
      out: oneValue('Write the results to FILE, for --assume; if FILE exists, report changes'),
      account: oneValue('Confirm a non-empty account with the ID of one of its API keys or users'),
      ...account,
    },
    examples: [
      ['probe --plan', 'Print every request without sending it'],
      ['probe --run --out evidence.json', 'Check all assumptions with a test account'],
      ['--assume evidence.json', 'Then start a simulator that behaves like the real API'],
    ],
  },
  mcp: {
    usage: 'mcp [FIXTURE] [--url URL]',
    describe: 'Serve coding agents over the Model Context Protocol (MCP), on stdin and stdout',
    positional: fixture,
    options: without('watch', 'open', 'printConfig', 'failOnUnused', 'as', 'passThrough'),
    defaults: { port: 0 },
    own: {
      url: oneValue('URL of a running simulator [default: start a new one]'),
      sandbox: oneValue('Default sandbox for tools, created if missing [default: default]'),
      'all-tools': { type: 'boolean', describe: 'Offer all tools, including records, snapshots, edges and events' },
    },
    examples: [
      ['mcp', 'Start a simulator on any free port, with tools to control it'],
      ['mcp --url http://127.0.0.1:4600 --sandbox mine', 'Control a running simulator, in a separate sandbox'],
    ],
  },
  completion: {
    usage: 'completion [SHELL]',
    describe: 'Print a completion script for bash, zsh or fish',
    positional: { name: 'shell', describe: `${SHELLS.join(', ')} [default: the current shell]` },
    options: [],
    examples: [
      ['completion bash >> ~/.bashrc', 'Enable completion in every new shell'],
      ['completion zsh >> ~/.zshrc', 'Enable completion in zsh, after compinit'],
      ['completion fish > ~/.config/fish/completions/edgesim.fish', 'Enable completion in fish'],
    ],
  },
} satisfies Record<string, Command>

export type CommandName = keyof typeof commands

export const COMMANDS = [...Object.keys(commands), 'help']
