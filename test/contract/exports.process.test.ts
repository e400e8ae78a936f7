import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFiles } from '../support/afterwards.ts'
import { projectWith, run } from '../support/as-process.ts'
import { ALL } from '../support/long.ts'

/** The exports of each module, or its load error code, from one process. */
async function exportsOf(folder: string, entries: string[]): Promise<Record<string, string[] | string>> {
  const script = `const found = {}
    for (const entry of ${JSON.stringify(entries)})
      found[entry] = await import(entry).then(all => Object.keys(all).sort(), ({ code, message }) => code ?? message)
    console.log(JSON.stringify(found))`
  return JSON.parse(await run([process.execPath], ['--input-type=module', '-e', script], folder))
}

describe.concurrent('The package exports', async () => {
  const folder = await projectWith(['vitest', '@playwright/test'])

  it('exactly these names and paths', async () => {
    const hidden = ['edgesim/dist/program/main.cjs', 'edgesim/src/index.ts', 'edgesim/cli']
    expect(await exportsOf(folder, ['edgesim', 'edgesim/playwright', ...hidden])).toEqual({
      edgesim: ['ControlError', 'FileError', 'SimulatorError', 'VerifyError', 'connect', 'startSimulator'],
      'edgesim/playwright': ['expect', 'test'],
      ...Object.fromEntries(hidden.map(path => [path, 'ERR_PACKAGE_PATH_NOT_EXPORTED'])),
    })
  })

  it('the file schemas by name', () => {
    const require = createRequire(join(folder, 'any.js'))
    for (const name of ['config', 'fixtures/fixture', 'scenarios/scenario'])
      expect(require(`edgesim/${name}.schema.json`).title).toMatch(/^edgesim \w+$/)
  })

  it.runIf(ALL)('edgesim/vitest for vitest 3.2 and newer, and names that version in an older one', async () => {
    const project = await projectWith()
    const beside = async (version: string) => {
      const manifest = { name: 'vitest', version, type: 'module', main: 'index.js' }
      writeFiles(project, {
        'node_modules/vitest/package.json': JSON.stringify(manifest),
        'node_modules/vitest/index.js': 'export const test = { extend: () => test }; export const expect = test',
      })
      return (await exportsOf(project, ['edgesim/vitest']))['edgesim/vitest']
    }
    for (const version of ['2.1.9', '3.1.4'])
      expect(await beside(version)).toMatch(
        `edgesim/vitest requires vitest 3.2 or newer, got vitest ${version}. Update it`,
      )
    for (const version of ['3.2.0', '10.0.0-beta.1']) expect(await beside(version)).toEqual(['expect', 'test'])
  })
})
