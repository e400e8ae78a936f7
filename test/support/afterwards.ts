import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, TestRunner } from 'vitest'

export const root = fileURLToPath(new URL('../..', import.meta.url))

type Finish = () => unknown

/** What the file that runs now has started and no single test owns. */
const ofFile: Finish[] = []

/**
 * The one way to clean up: done when the test that asks is over, or, where no test can be told, when its file is.
 * The code of all files is loaded once, so hooks registered by a module would run for the first file only; and vitest
 * does not know which of several concurrent tests is asking.
 */
export function afterwards(finish: Finish) {
  const test = TestRunner.getCurrentTest()
  if (test && !test.concurrent) onTestFinished(async () => void (await finish()))
  else ofFile.push(finish)
}

/** Last in, first out; one that fails keeps no other from being done. */
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

/** The file whose tests run now. */
export const fileName = () => relative(root, expect.getState().testPath ?? 'a test')

/** Who is at work, for the names of what is left behind. */
export const whoRuns = () => [fileName(), expect.getState().currentTestName ?? []].flat().join(' > ')

/** A folder with these files in it, gone after the test. */
export function folderWith(files: Record<string, string | object> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgesim-test-'))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  writeFiles(folder, files)
  return folder
}

/** An object is written as JSON. */
export function writeFiles(folder: string, files: Record<string, string | object>) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}
