import { chmodSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startSimulator } from '../../src/index.ts'
import { SandboxHandle } from '../../src/library/sandbox-handle.ts'
import { SimulatorHandle } from '../../src/library/simulator-handle.ts'
import { tableNames } from '../../src/ngrok/resources/index.ts'
import { options } from '../../src/simulator/options/options.ts'
import { type Agent, agentOf } from '../cli/mcp/agent.ts'
import { afterwards, root, writeFiles } from '../support/afterwards.ts'
import { launch, program, projectWith, QUIET } from '../support/as-process.ts'
import { edgesimHere } from '../support/in-process.ts'
import { ALL, PATIENT } from '../support/long.ts'
import { type Block, blocksOf } from '../support/markdown.ts'

/** Blocks run in a project with the packed package and the files of earlier blocks. */
const project = await projectWith(['vitest', '@playwright/test', '@types/node', '@ngrok/ngrok-api'])
cpSync(join(root, 'fixtures/default.json'), join(project, 'my-fixture.json'))
const bin = program(project, 'edgesim/bin/edgesim.js')

// npx runs this package, so commands run unchanged.
writeFiles(project, { 'bin/npx': `#!/bin/sh\n[ "$1" = edgesim ] && shift\nexec ${bin.join(' ')} "$@"\n` })
chmodSync(join(project, 'bin/npx'), 0o755)
const env = { PATH: `${join(project, 'bin')}:${process.env.PATH}`, NO_PROXY: '*', NO_COLOR: '1', ...QUIET }

/** curl fails on errors and prints only responses. Loops that wait already use -f. */
const STRICT = '--silent --show-error --fail-with-body'
const SHELL = `set -eu; curl() { case $1 in -f*) command curl "$@" ;; *) command curl ${STRICT} "$@" ;; esac; }\n`

const documents = ['README.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)].filter(
  name => name.endsWith('.md') && blocksOf(name).length > 0,
)

/** `npm test` runs only the README. */
const isRun = (name: string) => ALL || name === 'README.md'

async function run(command: string[], args: string[], cwd: string) {
  const { code, out, err } = await launch(args, { command, cwd, env }).ended
  return { code, said: out + err }
}

const passes = async (command: string[], args: string[], cwd: string) => {
  const { code, said } = await run(command, args, cwd)
  expect(code, said).toBe(0)
}

async function passesHere(args: string[], cwd: string) {
  const { code, out, err } = await edgesimHere(args, { cwd })
  expect(code, out + err).toBe(0)
}

async function serves(text: string, cwd: string) {
  const { child, until, ended } = launch(['-c', `exec ${text.trim()} --port 0`], { command: ['sh'], cwd, env })
  await until(/edgesim listens on/)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
}

/** Vitest blocks of all documents run together, because vitest starts slowly. Type checks also run together. */
const forVitest: string[] = []
const forCompiler: string[] = []

async function runScript(text: string, name: string, cwd: string) {
  const runner = /from '(?:edgesim\/(vitest|playwright))'/.exec(text)?.[1]
  const file = runner ? `${name}.${runner === 'vitest' ? 'test' : 'spec'}.js` : `${name}.js`
  writeFiles(cwd, { [file]: text })
  if (runner === 'vitest') forVitest.push(join(cwd, file))
  else if (runner) await passes(program(project, '@playwright/test/cli.js'), ['test', '--timeout', '300000', file], cwd)
  else await passes([process.execPath], [file], cwd)
}

const TYPES = [
  ...'--noEmit --skipLibCheck --strict --module nodenext --target es2022 --lib esnext,dom --types'.split(' '),
  ...'node --checkers 1'.split(' '),
]

/** Checks a fixture, scenario, configuration, evidence file or error. Their fields distinguish them. */
async function checkData(text: string, name: string, cwd: string) {
  const schema = /\$schema=(\S+)/.exec(text)?.[1]
  if (schema) expect(existsSync(join(project, schema)), schema).toBe(true)
  const value = parse(text)
  const members = Object.keys(value)
  if (value.error_code) return void expect(members).toEqual(['error_code', 'status_code', 'msg', 'details'])
  if (value.verdicts) {
    writeFiles(cwd, { [`${name}.json`]: text })
    return passesHere(['assumptions', '--assume', `${name}.json`], cwd)
  }
  if (members.every(member => member in options)) {
    writeFiles(cwd, { [`${name}/edgesim.config.yaml`]: text })
    return passesHere(['start', '--print-config'], join(cwd, name))
  }
  const known = [...tableNames, ...'extends name description fixture state clock seed assume rules'.split(' ')]
  const strange = members.filter(member => !known.includes(member))
  expect(strange, 'a fixture, a scenario, a configuration?').toEqual([])
  writeFiles(cwd, { [`${name}.yaml`]: text })
  return passesHere(['validate', `${name}.yaml`], cwd)
}

interface Reader {
  url: string
  cwd: string
  agent?: Agent
  answer?: string
}

async function callTool(reader: Reader, name: string, text: string) {
  const { url, cwd } = reader
  reader.agent ??= await agentOf(['--url', url], { command: bin, cwd })
  const told = await reader.agent.call(name, JSON.parse(text))
  expect(told.isError, told.text).toBe(false)
  reader.answer = told.text
}

const vendorOf = (blocks: Block[]) =>
  blocks.some(({ language, text }) => language === 'sh' && text.includes('Ngrok-Version')) ? 'ngrok' : 'service'

async function tryBlock({ language, text, note, line }: Block, reader: Reader) {
  const { url, cwd } = reader
  const name = `block-${line}`
  const tool = /^tool: (\w+)$/.exec(note)?.[1]
  if (tool) return callTool(reader, tool, text)
  if (note === 'answer') return void expect(reader.answer?.replaceAll(url, 'http://127.0.0.1:4600')).toBe(text.trim())
  const here = text.replaceAll('http://127.0.0.1:4600', url)
  const file = /^file: (\S+)$/.exec(note)?.[1]
  if (file) writeFiles(cwd, { [file]: here })
  if (language === 'json' || language === 'yaml') {
    if (note === 'only parsed') return void expect(parse(text)).toBeTypeOf('object')
    return checkData(text, name, cwd)
  }
  if (language === 'sh') {
    if (note === 'serves') return serves(text, cwd)
    const { code, said } = await run(['sh'], ['-c', SHELL + here], cwd)
    return void expect(code === 0, said).toBe(note !== 'fails')
  }
  if (language === 'ts') {
    forCompiler.push(join(cwd, `${name}.ts`))
    return writeFiles(cwd, { [`${name}.ts`]: text })
  }
  if (note.startsWith('only checked: ')) return void writeFiles(cwd, { [`${name}.js`]: text })
  if (!file) return runScript(here, name, cwd)
}

/** Languages tested in languages.long.process.test.ts, and nginx in recipe.long.process.test.ts. */
const RUN_ELSEWHERE = ['python', 'go', 'ruby', 'java', 'hcl', 'nginx']
const LANGUAGES = ['sh', 'js', 'ts', 'json', 'yaml', 'text', ...RUN_ELSEWHERE]
const NOTES =
  /^(|serves|(serves )?in an empty folder|fails|only parsed|tool: \w+|answer|file: \S+|only checked: .+|not run: .+|runs the files above)$/

// In this order: the files that blocks write are run and compiled at the end.
describe('The documents', { shuffle: false }, () => {
  describe.skipIf(process.platform === 'win32').each(documents)('%s', document => {
    const blocks = blocksOf(document)
    const tried = blocks.filter(
      ({ language, note }) =>
        (language !== 'text' || note === 'answer') &&
        !RUN_ELSEWHERE.includes(language) &&
        !/^not run: |in an empty folder$|^runs the files above$/.test(note),
    )

    it('has only blocks that are tested or give a reason', () => {
      const strange = blocks.filter(({ language, note }) => !LANGUAGES.includes(language) || !NOTES.test(note))
      expect(strange.map(({ line }) => `${document}:${line}`)).toEqual([])
    })

    // In order: later blocks depend on earlier blocks.
    it.runIf(isRun(document) && tried.length > 0).concurrent('has only working blocks', async () => {
      const sim = await startSimulator({ vendor: vendorOf(blocks) })
      const cwd = join(project, document.replace(/\W/g, '-'))
      writeFiles(cwd, { 'my-fixture.json': readFileSync(join(project, 'my-fixture.json'), 'utf8') })
      const reader: Reader = { url: sim.url, cwd }
      try {
        for (const block of tried) {
          await tryBlock(block, reader).catch(error => {
            error.message = `${document}:${block.line}: ${error.message}`
            throw error
          })
        }
      } finally {
        await reader.agent?.client.close()
        await sim.close()
      }
    })
  })

  it.runIf(ALL)('have only passing vitest tests', async () => {
    expect(forVitest.length).toBeGreaterThan(2)
    await passes(program(project, 'vitest/vitest.mjs'), ['run', ...PATIENT, ...forVitest], project)
  })

  it.runIf(ALL)('have only types that the compiler accepts', async () => {
    expect(forCompiler.length).toBeGreaterThan(2)
    await passes([join(root, 'node_modules/.bin/tsc')], [...TYPES, ...forCompiler], project)
  })
})

describe('The documents', () => {
  it('have few untested blocks', () => {
    const untried = documents.flatMap(name => blocksOf(name).filter(({ note }) => note.startsWith('not run: ')))
    expect(untried.length).toBeLessThanOrEqual(10)
  })

  it('name every route of the control plane', async () => {
    const sim = await startSimulator()
    afterwards(() => sim.close())
    const { paths } = await (await fetch(`${sim.url}/_sim/control.json`)).json()
    const text = readFileSync(join(root, 'docs/control-api.md'), 'utf8')
    const missing = Object.entries<object>(paths)
      .filter(([path]) => !path.includes('{sandbox}'))
      .flatMap(([path, methods]) => Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`))
      .filter(route => !text.includes(`\`${route}\``))
    expect(missing).toEqual([])
  })

  it('wait for readiness with curl -fsS, so no other server counts', () => {
    const loops = [...documents, 'examples/curl/keys.sh', 'examples/README.md', 'examples/scale-out/README.md'].flatMap(
      name => readFileSync(join(root, name), 'utf8').match(/\b(?:until|while)\b[^\n]*\bcurl\b.*/g) ?? [],
    )
    expect(loops).not.toEqual([])
    for (const loop of loops) expect(loop).toContain('curl -fsS ')
  })

  it('describe every property of a handle', () => {
    const text = readFileSync(join(root, 'docs/library.md'), 'utf8')
    const members = [SandboxHandle, SimulatorHandle].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))
    expect(members.filter(name => name !== 'constructor' && !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
  })
})
