import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { toVariable } from '../../src/cli/resolve.ts'
import { optionNames } from '../../src/simulator/options/options.ts'
import { folderWith, root } from '../support/afterwards.ts'
import { bin, launch, QUIET, startEdgesim } from '../support/as-process.ts'
import { ask } from '../support/http.ts'
import { ALL } from '../support/long.ts'
import { filled } from '../support/workflows.ts'

type Variables = Record<string, string>

interface GithubJob {
  needs?: string[]
  env?: Variables
  strategy?: { matrix: { shard: number[] } }
  services?: { edgesim: { ports: string[]; env: Variables; options: string } }
  steps: { uses?: string; run?: string; env?: Variables; with?: { path?: string } }[]
}

interface GitlabJob {
  needs?: string[]
  parallel?: number
  services?: { alias: string; variables: Variables }[]
  variables?: Variables
  script: string[]
  artifacts?: { paths: string[] }
}

const examples = join(root, 'examples')
const read = (file: string) => readFileSync(join(examples, file), 'utf8')
const { action, ...github }: Record<string, GithubJob> = parse(read('github-actions/edgesim.yml')).jobs
const { default: _, ...gitlab }: Record<string, GitlabJob> = parse(read('gitlab-ci/.gitlab-ci.yml'))

/** A user's test, with its own sandbox and a token for the default sandbox. Without fetch, which times out after 10 s. */
const testIn = (sandbox: string) => `
  import assert from 'node:assert/strict'
  import { once } from 'node:events'
  import { get } from 'node:http'
  import { test } from 'node:test'
  import { connect } from 'edgesim'
  const { EDGESIM_URL, EDGESIM_TOKEN, EDGESIM_CONTROL_TOKEN: controlToken } = process.env
  test('keys are listed', async () => {
    const sandbox = await (await connect(EDGESIM_URL, { controlToken })).sandbox('${sandbox}')
    for (const token of [sandbox.token, EDGESIM_TOKEN]) {
      const headers = { authorization: 'Bearer ' + token, 'service-version': '2' }
      const [answer] = await once(get(EDGESIM_URL + '/api_keys', { headers }), 'response')
      assert.equal(answer.resume().statusCode, 200)
    }
  })`

function projectOfUser() {
  // Both files in one process, unlike with node --test.
  const scripts = { test: 'node --import ./first.test.js second.test.js' }
  const files = { 'first.test.js': testIn('first'), 'second.test.js': testIn('second') }
  const folder = folderWith({ 'package.json': { private: true, type: 'module', scripts }, ...files })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/edgesim'), 'junction')
  return folder
}

// Replaced commands: npx and the executable run this package, and go runs curl, because Go may be missing.
const EDGESIM = `exec "${process.execPath}" "${bin}" "$@"\n`
const programs = folderWith({
  npx: `#!/bin/sh\n[ "$1" = edgesim ] && shift\n${EDGESIM}`,
  executable: `#!/bin/sh\n${EDGESIM}`,
  go: `#!/bin/sh\ncurl -fsS -H "Authorization: Bearer $EDGESIM_TOKEN" -H 'Service-Version: 2' "$EDGESIM_URL/api_keys"\n`,
})
for (const name of ['npx', 'go']) chmodSync(join(programs, name), 0o755)
const executable = pathToFileURL(join(programs, 'executable')).href
const hasShell = process.platform !== 'win32' && spawnSync('bash', ['-c', 'curl --version']).status === 0

/** Runs a script like the pipeline, without `npm ci`, because the packages are already installed. */
async function runScript(shell: string, script: string, cwd: string, env: Variables) {
  const lines = script.split('\n').filter(line => line !== 'npm ci')
  const all = { PATH: `${programs}:${process.env.PATH}`, NO_PROXY: '*', ...QUIET, ...env }
  const { code, out, err } = await launch(['-e', '-c', lines.join('\n')], { command: [shell], cwd, env: all }).ended
  expect(code, `${script}\n${out}${err}`).toBe(0)
  return out
}

/** A service is a simulator with the variables of the image and the job. */
const startService = (env: Variables) => startEdgesim([], { env: { EDGESIM_HOST: '0.0.0.0', ...env } })

/** Tests use the service name as the host. It does not resolve on this machine, so it is sent as the Host header. */
async function expectReached(url: string, { EDGESIM_URL, EDGESIM_CONTROL_TOKEN }: Variables) {
  const headers = { host: new URL(EDGESIM_URL!).host, authorization: `Bearer ${EDGESIM_CONTROL_TOKEN}` }
  expect((await ask(`${url}/_sim/info`, { headers })).status).toBe(200)
}

/** Runs a GitHub Actions job. Returns its output, and the sandboxes in its HAR files. */
async function runGithub({ services, env = {}, strategy, steps }: GithubJob, shard = 1) {
  const known: Record<string, string | number> = {
    'matrix.shard': shard,
    'strategy.job-total': strategy?.matrix.shard.length ?? 1,
    'vars.EDGESIM_EXECUTABLE_URL': executable,
    ...Object.fromEntries(Object.entries(env).map(([name, value]) => [`env.${name}`, value])),
  }
  if (services) {
    const { ready } = await startService(filled(services.edgesim.env, known))
    known["job.services.edgesim.ports['4600']"] = new URL(ready.url).port
  }
  const cwd = projectOfUser()
  const printed: string[] = []
  const kept: string[] = []
  for (const step of filled(steps, known)) {
    if (step.run) printed.push(await runScript('bash', step.run, cwd, { ...env, ...step.env }))
    if (step.with?.path) kept.push(join(cwd, step.with.path))
  }
  return { out: printed.join(''), sandboxes: kept.flatMap(sandboxesIn) }
}

function sandboxesIn(har: string): string[] {
  const entries: { _sandbox: string }[] = JSON.parse(readFileSync(har, 'utf8')).log.entries
  return [...new Set(entries.map(({ _sandbox }) => _sandbox))].sort()
}

describe('Examples without a package.json', () => {
  const folders = readdirSync(examples, { withFileTypes: true }).filter(
    each => each.isDirectory() && !existsSync(join(examples, each.name, 'package.json')),
  )

  it('are all tested here', () => {
    expect(folders.map(({ name }) => name).sort()).toEqual(['devcontainer', 'github-actions', 'gitlab-ci'])
  })

  it.each([
    ['GitHub Actions', github],
    ['GitLab CI', gitlab],
  ])('for %s have only tested jobs, which need only each other', (_, jobs) => {
    expect(Object.keys(jobs)).toEqual(['exec', 'shards', 'executable', 'service'])
    const needed = Object.values<{ needs?: string[] }>(jobs).flatMap(({ needs = [] }) => needs)
    expect(needed.filter(name => !(name in jobs))).toEqual([])
  })

  it('use only variables of edgesim, its clients or the project', () => {
    // Unknown flags fail when run, but unknown variables would have no effect.
    const others = ['EDGESIM_URL', 'EDGESIM_TOKEN', 'EDGESIM_IMAGE', 'EDGESIM_EXECUTABLE_URL']
    const known = [...optionNames.map(toVariable), ...others]
    const files = folders.flatMap(({ name }) => readdirSync(join(examples, name)).map(file => join(name, file)))
    const names = files.flatMap(file => read(file).match(/\bEDGESIM_[A-Z_]+/g) ?? [])
    expect(names).toContain('EDGESIM_ALLOWED_HOST')
    expect(names.filter(name => !known.includes(name))).toEqual([])
  })
})

describe('The example for GitHub Actions', () => {
  it('has steps with a script, or an action of a known version', () => {
    const steps = [action!, ...Object.values(github)].flatMap(job => job.steps)
    const isPinned = (uses = '') =>
      /^actions\/(checkout|setup-node|upload-artifact)@v4$|^actions\/setup-go@v5$|@VERSION$/.test(uses)
    expect(steps.filter(({ run, uses }) => (typeof run === 'string') === isPinned(uses))).toEqual([])
  })

  // packaging/action has its own test.
  it('has the action of this repository, with its inputs', () => {
    const { uses, with: given = {} } = action!.steps.find(({ uses }) => uses?.startsWith('OWNER/'))!
    const folder = uses!.replace(/^OWNER\/edgesim\/|@.*$/g, '')
    const { inputs } = parse(readFileSync(join(root, folder, 'action.yml'), 'utf8'))
    expect(Object.keys(given).filter(name => !(name in inputs))).toEqual([])
  })

  it('waits until its service is healthy', () => {
    const { ports, options } = github.service!.services!.edgesim
    expect({ ports, options }).toEqual({ ports: ['4600'], options: expect.stringContaining('--health-interval 1s') })
  })

  it.skipIf(!ALL || !hasShell).each([
    ['exec', /pass 2\n/, ['default', 'first', 'second']],
    ['executable', /"id":"ak_admin"/, ['default']],
    ['service', /pass 2\n/, []],
  ])('runs tests in the job %s, and stores their requests', async (name, passed, stored) => {
    const { out, sandboxes } = await runGithub(github[name]!)
    expect(out).toMatch(passed)
    expect(sandboxes).toEqual(stored)
  })

  it.skipIf(!ALL || !hasShell)('runs every test in one shard, each with its own simulator', async () => {
    const shards = await Promise.all([runGithub(github.shards!, 1), runGithub(github.shards!, 2)])
    expect(shards.flatMap(({ sandboxes }) => sandboxes.join()).sort()).toEqual(['default,first', 'default,second'])
  })
})

describe('The example for GitLab CI', () => {
  it.each(['exec', 'shards', 'executable'])('runs and stores the same in %s as GitHub Actions', name => {
    const { strategy, steps } = github[name]!
    const texts = filled(
      steps.map(({ run, with: { path } = {} }) => ({ run, path })),
      { 'matrix.shard': '$CI_NODE_INDEX', 'strategy.job-total': '$CI_NODE_TOTAL' },
    )
    const { parallel, script, artifacts } = gitlab[name]!
    expect(parallel).toBe(strategy?.matrix.shard.length)
    expect(script).toEqual(texts.flatMap(({ run }) => run?.trim().split('\n') ?? []))
    expect(artifacts?.paths).toEqual(texts.flatMap(({ path }) => path ?? []))
  })

  it.skipIf(!ALL || !hasShell)('runs tests after the port of their service is open', async () => {
    const { services, variables, script } = gitlab.service!
    const { alias, variables: own } = services![0]!
    expect(own.HEALTHCHECK_TCP_PORT).toBe('4600')
    expect(variables!.EDGESIM_URL).toBe(`http://${alias}:4600`)
    const { url } = (await startService({ ...variables, ...own })).ready
    await expectReached(url, variables!)
    const env = { ...variables, EDGESIM_URL: url }
    expect(await runScript('sh', script.join('\n'), projectOfUser(), env)).toMatch(/pass 2\n/)
  })
})

describe('The example for a dev container', () => {
  it('has an editor and a simulator, which responds under its name', async () => {
    const errors: ParseError[] = []
    const container = parseJsonc(read('devcontainer/devcontainer.json'), errors, { allowTrailingComma: false })
    expect(errors).toEqual([])
    expect(readdirSync(join(examples, 'devcontainer'))).toContain(container.dockerComposeFile)
    const { editor, edgesim } = parse(read('devcontainer/compose.yaml')).services
    expect(container).toMatchObject({ service: 'editor', forwardPorts: ['edgesim:4600'] })
    expect(editor.volumes).toEqual([`..:${container.workspaceFolder}`])
    expect(editor.depends_on).toEqual({ edgesim: { condition: 'service_healthy' } })
    expect(edgesim.healthcheck.interval).toBe('1s')
    expect(editor.environment.EDGESIM_URL).toBe('http://edgesim:4600')
    await expectReached((await startService(edgesim.environment)).ready.url, editor.environment)
  })
})
