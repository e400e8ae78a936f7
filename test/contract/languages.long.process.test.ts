import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { folderWith, writeFiles } from '../support/afterwards.ts'
import { edgesim, run } from '../support/as-process.ts'
import { LONG, LONG_MS } from '../support/long.ts'
import { blocksOf } from '../support/markdown.ts'

/** A section of a document: its files and commands. */
interface Section {
  files: Record<string, string>
  before: string[][]
  /** Arguments of the last command, `edgesim exec`, before and after the --. */
  options: string[]
  command: string[]
}

const wordsOf = (line: string) => line.split(' ').filter(Boolean)

/** The next block with this note runs the files in these languages. */
const FILE_LANGUAGES = ['python', 'go', 'ruby', 'java', 'hcl']
const RUNS_FILES = 'runs the files above'

/** Sections by test command. docs-blocks.process.test.ts runs the other blocks. */
function sectionsOf(document: string) {
  const sections: Record<string, Section> = {}
  let files: Section['files'] = {}
  for (const { language, note, text, line } of blocksOf(document)) {
    const file = /^file: (\S+)$/.exec(note)?.[1]
    if (file && FILE_LANGUAGES.includes(language)) files[file] = text
    if (note !== RUNS_FILES) continue
    const before = text.trim().split('\n')
    const last = /^npx edgesim exec (.*)-- (.*)$/.exec(before.pop()!)
    if (!last || language !== 'sh') throw new Error(`${document}:${line}: does not end with edgesim exec`)
    const command = wordsOf(last[2]!)
    sections[command[0]!] = { files, before: before.map(wordsOf), options: wordsOf(last[1]!), command }
    files = {}
  }
  if (Object.keys(files).length > 0) throw new Error(`${document}: nothing runs ${Object.keys(files)}`)
  return sections
}

const sections = { ...sectionsOf('docs/testing.md'), ...sectionsOf('docs/sdks.md') }

/** Debian's commands come first, because Debian's packages work with them. */
const PATH = ['/usr/bin', process.env.PATH].join(delimiter)
const JUNIT = '/usr/share/java/junit-platform-console-standalone.jar'

const succeeds = ([program, ...args]: string[]) =>
  spawnSync(program!, args, { env: { ...process.env, PATH }, stdio: 'ignore' }).status === 0

interface Language {
  name: string
  /** Succeeds if it is installed. */
  check: string[]
  program?: string
  env?: (folder: string) => Record<string, string>
}

const PARALLEL = '-Djunit.jupiter.execution.parallel.'
const GO = { GOENV: 'off', GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' }
const JAVA_TOOL_OPTIONS = `${PARALLEL}enabled=true ${PARALLEL}mode.default=concurrent`
const LANGUAGES: Language[] = [
  { name: 'pytest', check: ['pytest', '--version'] },
  { name: 'pytest-xdist', check: ['pytest', '-p', 'xdist', '--help'], env: () => ({ PYTEST_ADDOPTS: '-n 2' }) },
  { name: 'Go', check: ['go', 'version'], env: folder => ({ ...GO, GOCACHE: join(folder, '.cache') }) },
  { name: 'Ruby', check: ['ruby', '-e', 'require "minitest"'] },
  { name: 'JUnit', check: ['javac', '--version'], program: 'java', env: () => ({ JAVA_TOOL_OPTIONS }) },
]

/** Runs a command, then stores the list of sandboxes. */
const THEN_LIST = `
  import { spawnSync } from 'node:child_process'
  import { writeFileSync } from 'node:fs'
  const [program, ...args] = process.argv.slice(2)
  process.exitCode = spawnSync(program, args, { stdio: 'inherit' }).status ?? 1
  const answer = await fetch(process.env.EDGESIM_URL + '/_sim/sandboxes')
  writeFileSync('left.json', await answer.text())`

interface Request {
  _operation: string
  _sandbox: string
}

function skipped({ skip }: TestContext, why: string): never {
  console.log(`Languages in docs: ${why}`)
  return skip(why)
}

/** Runs the tests of a section. Returns their requests and the remaining sandboxes. */
async function runSection({ files, before, options, command }: Section, folder: string, env: Record<string, string>) {
  writeFiles(folder, { ...files, 'then-list.mjs': THEN_LIST })
  for (const [program, ...args] of before) await run([program!], args, folder, env)
  const args = ['exec', ...options, '--har', 'run.har', '--', process.execPath, 'then-list.mjs', ...command]
  const { code, out, err } = await edgesim(args, { cwd: folder, env })
  expect(code, out + err).toBe(0)
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const left: { name: string }[] = read('left.json').sandboxes
  return { requests: read('run.har').log.entries as Request[], left: left.map(({ name }) => name) }
}

async function tryLanguage({ name, check, program = check[0]!, env }: Language, context: TestContext) {
  if (!succeeds(check) || (program === 'java' && !existsSync(JUNIT)))
    skipped(context, `${name} is not installed, and is not tried`)
  const folder = folderWith({ 'go.mod': 'module example\n' })
  if (existsSync(JUNIT)) symlinkSync(JUNIT, join(folder, basename(JUNIT)))
  const { requests, left } = await runSection(sections[program]!, folder, { PATH, ...env?.(folder) })
  const makers = requests.filter(each => each._operation === 'create_api_key').map(each => each._sandbox)
  expect(makers).toHaveLength(2)
  expect(new Set([...makers, 'default']).size).toBe(2 + 1)
  expect(left).toEqual(['default'])
}

describe('The tests of docs/testing.md create and drop their own sandboxes', { timeout: LONG_MS }, () => {
  it.for(LONG ? LANGUAGES : LANGUAGES.slice(0, 1))('with $name', tryLanguage)
})

/** The output of `terraform providers mirror` for ngrok's provider. It replaces a registry. */
const PROVIDERS = process.env.EDGESIM_TERRAFORM_PROVIDERS
const CONFIG = `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(PROVIDERS)}\n  }\n}\n`

describe.runIf(LONG)('Terraform', { timeout: LONG_MS }, () => {
  it('accepts the files of docs/sdks.md', async context => {
    if (!succeeds(['terraform', 'version'])) skipped(context, 'Terraform is not installed, and is not tried')
    await run(['terraform'], ['fmt', '-check', '-diff'], folderWith(sections.terraform!.files))
  })

  it('creates and deletes the resources of docs/sdks.md, in a sandbox', async context => {
    if (!PROVIDERS) skipped(context, 'EDGESIM_TERRAFORM_PROVIDERS is not set, and Terraform only checks the syntax')
    const folder = folderWith({ 'terraform.rc': CONFIG })
    const env = { TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'), CHECKPOINT_DISABLE: '1' }
    const { requests } = await runSection(sections.terraform!, folder, env)
    expect(new Set(requests.map(each => each._sandbox))).toEqual(new Set(['office']))
    const made = requests.map(each => each._operation).filter(each => !each.startsWith('get_'))
    expect(made).toEqual(['create_ip_policy', 'create_ip_policy_rule', 'delete_ip_policy_rule', 'delete_ip_policy'])
  })
})
