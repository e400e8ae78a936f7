import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, TestRunner } from 'vitest'

export const root = fileURLToPath(new URL('../..', import.meta.url))

type Finish = () => unknown

/** Clean-up steps of the current file that belong to no single test. */
const ofFile: Finish[] = []

/**
 * Cleans up after the current test, or after its file if the tests are concurrent: Vitest doesn't know which one runs.
 * Modules are loaded once for all files, so their own hooks would run for the first file only.
 */
export function afterwards(finish: Finish) {
  const test = TestRunner.getCurrentTest()
  if (test && !test.concurrent) onTestFinished(async () => void (await finish()))
  else ofFile.push(finish)
}

/** Runs the steps in reverse order, even if some fail. */
export async function finishFile() {
  const failed: unknown[] = []
  for (let finish = ofFile.pop(); finish; finish = ofFile.pop()) {
    try {
      await finish()
    } catch (error) {
      failed.push(error)
    }
  }
  if (failed.length > 0) throw failed.length === 1 ? failed[0] : new AggregateError(failed, 'Failed to clean up')
}

export const fileName = () => relative(root, expect.getState().testPath ?? 'a test')

/** The current file and test, to name leftovers. */
export const whoRuns = () => [fileName(), expect.getState().currentTestName ?? []].flat().join(' > ')

/** A temporary folder with these files, removed after the test. */
export function folderWith(files: Record<string, string | object> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgesim-test-'))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  writeFiles(folder, files)
  return folder
}

/** Objects are written as JSON. */
export function writeFiles(folder: string, files: Record<string, string | object>) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}
