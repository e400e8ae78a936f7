import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectWith, run, write } from '../support/package.ts'

const folder = await projectWith(['vitest', '@playwright/test'])
const namesOf = async (entry: string) =>
  JSON.parse(
    await run(
      [process.execPath],
      ['-p', `import('${entry}').then(m => console.log(JSON.stringify(Object.keys(m).sort()))), ''`],
      folder,
    ),
  )

describe.concurrent('The package exports', () => {
  it.each([
    ['edgesim', ['ControlError', 'FileError', 'SimulatorError', 'VerifyError', 'connect', 'startSimulator']],
    ['edgesim/playwright', ['test']],
  ])('from %s exactly %o', async (entry, names) => {
    expect(await namesOf(entry)).toEqual(names)
  })

  it('from edgesim/vitest exactly test', () => {
    // Outside of vitest it cannot be loaded.
    const bundle = readFileSync(join(folder, 'node_modules/edgesim/dist/vitest.js'), 'utf8')
    expect([...bundle.matchAll(/\bexport\s*\{([^}]*)\}/g)].map(([, names]) => names)).toEqual([
      expect.stringMatching(/^\w+ as test$/),
    ])
  })

  it('edgesim/vitest for vitest 3.2 and newer, and says so beside an older one', async () => {
    const project = await projectWith()
    const asked = `import('edgesim/vitest').then(() => 'loaded', error => error.message).then(console.log)`
    const beside = (version: string) => {
      const manifest = { name: 'vitest', version, type: 'module', main: 'index.js' }
      write(project, {
        'node_modules/vitest/package.json': JSON.stringify(manifest),
        'node_modules/vitest/index.js': 'export const test = { extend: () => test }',
      })
      return run([process.execPath], ['-e', asked], project)
    }
    for (const version of ['2.1.9', '3.1.4'])
      expect(await beside(version)).toMatch(
        `edgesim/vitest needs vitest 3.2 or newer, and found vitest ${version}. Update it`,
      )
    for (const version of ['3.2.0', '10.0.0-beta.1']) expect(await beside(version)).toBe('loaded\n')
  })

  it('nothing else', async () => {
    for (const path of ['edgesim/dist/cli.js', 'edgesim/src/index.ts', 'edgesim/cli'])
      await expect(namesOf(path)).rejects.toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/)
  })
})
