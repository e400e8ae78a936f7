import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectWith, run } from '../support/package.ts'

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

  it('nothing else', async () => {
    for (const path of ['edgesim/dist/cli.js', 'edgesim/src/index.ts', 'edgesim/cli'])
      await expect(namesOf(path)).rejects.toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/)
  })
})
