import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, root, writeFiles } from '../support/afterwards.ts'
import { QUIET, run, tarball } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'
import { combinations, filled, hasShell, needsOf, runInJob, runStep, workflow } from '../support/workflows.ts'

const { on, jobs } = workflow('release')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { version } = JSON.parse(read('package.json'))

/** A small repository with the given version, which is the latest of the given changelog, as `npm version` leaves it. */
async function tagged(version: string) {
  const at = folderWith()
  const manifest = JSON.parse(read('package.json'))
  for (const file of ['.npmrc', 'README.md', 'package-lock.json', 'scripts/release.js', 'examples/vitest/package.json'])
    writeFiles(at, { [file]: read(file) })
  writeFiles(at, {
    'package.json': { ...manifest, repository: { type: 'git', url: 'git+https://github.com/someone/sim.git' } },
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\nNew.\n\n### Added\n\n- More.\n\n## 0.0.1 (2026-01-01)\n\nOld.\n',
  })
  const git = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' }
  const person = 'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b.c'
  const commit = 'git init --quiet && git add --all && git commit --quiet --message All'
  const { code, out, err } = await runInJob(`${person}; ${commit} && npm version ${version}`, at, { ...git, ...QUIET })
  expect(code, out + err).toBe(0)
  return {
    at,
    text: (file: string) => readFileSync(join(at, file), 'utf8'),
    git: (...args: string[]) => run(['git'], args, at, git),
  }
}

describe('release.yml', () => {
  const allNeedsOf = (name: string): string[] => needsOf(jobs[name]!).flatMap(each => [each, ...allNeedsOf(each)])

  it('publishes on a tag, after check and all jobs of ci.yml', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } })
    expect(jobs.ci!.uses).toBe('./.github/workflows/ci.yml')
    const publishing = Object.keys(jobs).filter(name => Object.values(jobs[name]!.permissions ?? {}).includes('write'))
    expect(publishing).toEqual(['npm', 'image', 'release'])
    for (const name of publishing) expect(allNeedsOf(name), name).toEqual(expect.arrayContaining(['check', 'ci']))
  })

  it('downloads the artifacts of ci.yml, without those of the action in its jobs', () => {
    const { check, ...others } = jobs
    const names = [...Object.entries(workflow('ci').jobs), ['check', check!] as const].flatMap(([id, job]) => {
      const uploaded =
        job.steps?.flatMap(({ uses, with: given }) => (uses?.includes('upload-') ? given!.name! : [])) ?? []
      const ofAction = job.steps?.some(({ uses }) => uses === './packaging/action')
        ? [`edgesim-${id}-a1-report.html`]
        : []
      return combinations(job).flatMap(({ name }) => filled([...uploaded, ...ofAction], { 'matrix.name': name ?? '' }))
    })
    const downloaded = Object.values(others).flatMap(({ steps = [] }) =>
      steps.flatMap(({ uses, with: given }) => {
        if (!uses?.includes('download-')) return []
        return [
          names.filter(name => name === given!.name || name.startsWith(given!.pattern?.replace(/\*$/, '') ?? '*')),
        ]
      }),
    )
    expect(names).toContain('edgesim-executable-a1-report.html')
    const executables = ['linux-x64', 'linux-arm64', 'macos-arm64', 'windows-x64'].map(name => `executable-${name}`)
    expect(downloaded).toEqual([['package'], ['image-amd64', 'image-arm64'], ['notes'], executables])
  })

  it.skipIf(!hasShell)('accepts the tag of npm version, which dates the changelog and updates the README', async () => {
    const { at, text, git } = await tagged('9.8.7')
    expect(await git('log', '-1', '--format=%s %D')).toMatch(/^chore: release 9\.8\.7 .*tag: v9\.8\.7/)
    expect(await git('status', '--short')).toBe('')
    expect(text('CHANGELOG.md')).toMatch(/^# Changelog\n\n## 9\.8\.7 \(\d{4}-\d\d-\d\d\)\n\nNew\./)
    expect(text('README.md')).toMatch(/## Install\n[^`]*```sh\nnpm install --save-dev edgesim\n```/)
    expect(text('examples/vitest/package.json')).toContain('/edgesim-9.8.7.tgz"')
    const checked = await runStep(jobs.check!, 'release.js', at, { GITHUB_REF_NAME: 'v9.8.7' })
    expect(checked).toEqual({ code: 0, out: '', err: '' })
    expect(text('notes.md')).toBe('New.\n\n### Added\n\n- More.\n')
  })

  it.skipIf(!hasShell)('publishes nothing if tag, version, changelog or repository differ', async () => {
    const { at, text } = await tagged('9.8.7')
    writeFiles(at, {
      'CHANGELOG.md': text('CHANGELOG.md').replace(/## 9\.8\.7 .*/, '## 9.8.7'),
      'package-lock.json': text('package-lock.json').replace('9.8.7', '9.8.6'),
      'package.json': text('package.json').replace('"9.8.7"', '"9.8.7-rc.1"'),
    })
    const env = { GITHUB_REF_NAME: 'v9.8.8', GITHUB_REPOSITORY: 'other/sim' }
    const { code, err } = await runStep(jobs.check!, 'release.js', at, env)
    expect({ code, problems: err.split('\n') }).toEqual({
      code: 1,
      problems: [
        'The tag is v9.8.8, but the version in package.json is 9.8.7-rc.1.',
        'The version in package-lock.json is 9.8.6, but in package.json it is 9.8.7-rc.1.',
        'The version 9.8.7-rc.1 is not like 1.2.3.',
        'CHANGELOG.md starts with "9.8.7" instead of "9.8.7-rc.1 (YYYY-MM-DD)".',
        expect.stringMatching(/npm pkg set .*repository\.url=git\+https:\/\/github\.com\/other\/sim\.git$/),
        'CONTRIBUTING.md describes how to release.',
        '',
      ],
    })
  })

  it.skipIf(!ALL || !hasShell)('publishes the package, in a dry run', async () => {
    const at = folderWith()
    copyFileSync(await tarball(), join(at, basename(await tarball())))
    // Nothing listens on this port.
    const env = { npm_config_dry_run: 'true', npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
    const { code, out, err } = await runStep(jobs.npm!, 'npm publish', at, env)
    expect({ code, out }, err).toEqual({ code: 0, out: `+ edgesim@${version}\n` })
    expect(err).toMatch(/with tag latest and public access \(dry-run\)/)
  })

  it.skipIf(!hasShell)('creates a release with all executables and their checksums', async () => {
    const names = combinations(workflow('ci').jobs.executable!).map(({ name, suffix }) => `edgesim-${name}${suffix}`)
    expect(names.join(' ')).toBe('edgesim-linux-x64 edgesim-linux-arm64 edgesim-macos-arm64 edgesim-windows-x64.exe')
    const all = [...names, 'sbom.cdx.json', 'THIRD_PARTY_NOTICES.txt']
    const at = folderWith({ 'notes.md': 'New.', 'bin/gh': '#!/bin/sh\nprintf "%s\\n" "$@"\n' })
    writeFiles(at, Object.fromEntries(all.map(name => [`files/${name}`, name])))
    chmodSync(join(at, 'bin/gh'), 0o755)
    const { out } = await runStep(jobs.release!, 'gh release', at, { GITHUB_REF_NAME: 'v9.8.7', LC_ALL: 'C' })
    const words = out.trim().split('\n')
    const notes = words.splice(0, 8).join(' ')
    expect(notes).toBe('release create v9.8.7 --verify-tag --title v9.8.7 --notes-file ../notes.md')
    expect(words.sort()).toEqual(['SHA256SUMS', ...all].sort())
    const sums = readFileSync(join(at, 'files/SHA256SUMS'), 'utf8').trim().split('\n')
    expect(sums.sort()).toEqual(all.map(name => `${createHash('sha256').update(name).digest('hex')}  ${name}`).sort())
  })
})

describe('The version in package.json', () => {
  it('is the one of all tarballs in the documents and examples', () => {
    const examples = readdirSync(join(root, 'examples')).map(name => `examples/${name}/package.json`)
    const files = ['README.md', 'docs/agents.md', ...examples.filter(file => existsSync(join(root, file)))]
    const tarballs = files.flatMap(file => read(file).match(/edgesim-\d[\w.-]*\.tgz/g) ?? [])
    expect(tarballs.length).toBeGreaterThan(5)
    expect(tarballs.filter(name => name !== `edgesim-${version}.tgz`)).toEqual([])
  })

  it('is on the npm registry in the README as soon as the changelog dates a release', () => {
    const isReleased = /^## \d+\.\d+\.\d+ \(\d{4}-/m.test(read('CHANGELOG.md'))
    expect(read('README.md').includes("edgesim isn't on the npm registry yet")).toBe(!isReleased)
    expect(read('README.md').includes('npm install --save-dev edgesim\n')).toBe(isReleased)
  })
})
