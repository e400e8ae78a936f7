import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, root } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { combinations, filled, hasShell, needsOf, runStep, workflow } from '../support/workflows.ts'

const FILES = ['.github/workflows/ci.yml', '.github/workflows/release.yml', 'packaging/action/action.yml']
const [ci, release] = [workflow('ci'), workflow('release')]

const read = (file: string) => readFileSync(join(root, file), 'utf8')

const withPrefix = (prefix: string, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]))

describe('The workflows', () => {
  it('use only actions of this repository, or pinned by commit with their version, everywhere the same', () => {
    const used = FILES.flatMap(file => Array.from(read(file).matchAll(/uses: (.*)/g), ([, what]) => what!))
    const [own, others] = [true, false].map(is => used.filter(what => what.startsWith('./') === is))
    expect(others!.length).toBeGreaterThan(10)
    expect(others!.filter(what => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what))).toEqual([])
    expect(new Set(others).size).toBe(new Set(others!.map(what => what.split('@')[0])).size)
    expect(own!.filter(what => !existsSync(join(root, what)))).toEqual([])
  })

  it.each([
    ['ci', ci],
    ['release', release],
  ])('%s may only read, and has jobs that need existing jobs', (_, { permissions, jobs }) => {
    expect(permissions).toEqual({ contents: 'read' })
    const needed = Object.values(jobs).flatMap(needsOf)
    expect(needed.filter(name => !(name in jobs))).toEqual([])
  })

  it('have a value for every expression', () => {
    for (const job of [...Object.values(ci.jobs), ...Object.values(release.jobs)]) {
      for (const matrix of combinations(job)) {
        const github = { 'github.repository': 'someone/sim', 'github.token': 'secret' }
        const known = { ...withPrefix('matrix.', matrix), ...github }
        const env = filled(job.env ?? {}, known)
        expect(JSON.stringify(filled(job, { ...known, ...withPrefix('env.', env) }))).not.toContain('${{')
      }
    }
  })
})

describe('ci.yml', () => {
  it('tests Node 20, 22 and 24 on Linux, with everything on the oldest, and macOS and Windows', () => {
    const nodes = combinations(ci.jobs.test!).map(({ node, script }) => [node, script].join())
    expect(nodes).toEqual(['20,test:all', '22,test', '24,test'])
    expect(combinations(ci.jobs.smoke!).map(({ os }) => os)).toEqual(['macos-latest', 'windows-latest'])
    expect(ci.jobs.smoke!.steps).toContainEqual({ run: 'npm run test:smoke' })
  })

  // docs-links.test.ts looks for the scripts that npm runs.
  it('runs only scripts of this repository', () => {
    const runs = Object.values(ci.jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []))
    const lines = runs.flatMap(run =>
      run
        .replace(/\$\{\{ matrix\.script \}\}/, 'test')
        .trim()
        .split('\n'),
    )
    const SCRIPT =
      /^(sudo env "PATH=\$PATH" )?(npm run \S+( -- --out "\$EXECUTABLE")?|node scripts\/[\w-]+\.js( [^;|&]+)?)$/
    const OTHER = /^npm (ci|pack)$|^sudo apt-get update && sudo apt-get install --yes [\w -]+$|^curl /
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.filter(line => !SCRIPT.test(line) && !OTHER.test(line))).toEqual([])
    const files = lines.flatMap(line => /scripts\/[\w-]+\.js/.exec(line) ?? [])
    expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
  })

  it.skipIf(!hasShell)('calls the simulator of the action with curl', async () => {
    const { ready } = await startEdgesim()
    const env = { EDGESIM_URL: ready.url, EDGESIM_TOKEN: ready.token }
    const { code, out } = await runStep(ci.jobs.executable!, 'curl ', folderWith(), { ...env, EXECUTABLE: '' })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('"keys":') })
  })
})
