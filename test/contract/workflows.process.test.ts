import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, root } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { combinations, filled, hasShell, needsOf, runStep, type Step, workflow } from '../support/workflows.ts'

const FILES = ['.github/workflows/ci.yml', '.github/workflows/release.yml', 'packaging/action/action.yml']
const [ci, release] = [workflow('ci'), workflow('release')]

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const linesOf = (steps: Step[]) => steps.flatMap(({ run = '' }) => run.split('\n')).filter(Boolean)

const knownWith = (values: Record<string, Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([prefix, of]) => Object.entries(of).map(([name, value]) => [prefix + name, value])),
  )

describe.each(FILES)('%s', file => {
  it('has only actions of this repository, or pinned by commit with their version', () => {
    const used = [...read(file).matchAll(/uses: (.*)/g)].map(([, what]) => what!)
    const isPinned = (what: string) => /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what)
    expect(used.filter(what => !isPinned(what) && !what.startsWith('./'))).toEqual([])
    for (const what of used.filter(what => what.startsWith('./'))) expect(existsSync(join(root, what)), what).toBe(true)
  })
})

describe('The workflows', () => {
  it('have the same commit for an action everywhere', () => {
    const pins = FILES.flatMap(file => [...read(file).matchAll(/uses: ([\w-]+\/[\w-]+)@(.*)/g)])
    expect(pins.length).toBeGreaterThan(10)
    const names = new Set(pins.map(([, name]) => name))
    expect(new Set(pins.map(([, name, pin]) => `${name} ${pin}`)).size).toBe(names.size)
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
        const known = knownWith({ 'matrix.': matrix, 'github.': { repository: 'someone/sim', token: 'secret' } })
        const env = filled(job.env ?? {}, known)
        expect(JSON.stringify(filled(job, { ...known, ...knownWith({ 'env.': env }) }))).not.toContain('${{')
      }
    }
  })
})

describe('ci.yml', () => {
  it('tests Node 20, 22 and 24 on Linux, and everything on the oldest', () => {
    expect(combinations(ci.jobs.test!)).toMatchObject([
      { node: 20, script: 'test:all' },
      { node: 22, script: 'test' },
      { node: 24, script: 'test' },
    ])
  })

  it('runs the smoke test on macOS and Windows', () => {
    expect(combinations(ci.jobs.smoke!).map(({ os }) => os)).toEqual(['macos-latest', 'windows-latest'])
    expect(linesOf(ci.jobs.smoke!.steps!)).toContain('npm run test:smoke')
  })

  it('runs only scripts of this repository', () => {
    const lines = linesOf(Object.values(ci.jobs).flatMap(({ steps = [] }) => steps)).map(line =>
      line.replace(/\$\{\{ matrix\.script \}\}/, 'test').replace(/^sudo env "PATH=\$PATH" /, ''),
    )
    const { scripts } = JSON.parse(read('package.json'))
    expect(lines.length).toBeGreaterThan(10)
    const strange = lines.filter(line => {
      const [, script] = /^npm run ([\w:]+)(?: -- --out "\$EXECUTABLE")?$/.exec(line) ?? []
      const [, file] = /^node (scripts\/[\w-]+\.js)(?: [^;|&]+)?$/.exec(line) ?? []
      if (script) return !(script in scripts)
      if (file) return !existsSync(join(root, file))
      return !/^npm (ci|pack)$|^sudo apt-get update && sudo apt-get install --yes [\w -]+$|^curl /.test(line)
    })
    expect(strange).toEqual([])
  })

  it.skipIf(!hasShell)('calls the simulator of the action with curl', async () => {
    const { ready } = await startEdgesim()
    const env = { EDGESIM_URL: ready.url, EDGESIM_TOKEN: ready.token }
    const { code, out } = await runStep(ci.jobs.executable!, 'curl ', folderWith(), { ...env, EXECUTABLE: '' })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('"keys":') })
  })
})
