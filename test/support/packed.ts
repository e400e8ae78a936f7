import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The tarball that npm would publish. */
    tarball: string
  }
}

/** Once for all tests that install the package. It goes with the temp folder of the run. */
export default function setup(project: TestProject) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  const args = ['pack', '--ignore-scripts', '--pack-destination', folder]
  const { status, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stderr}`)
  project.provide('tarball', join(folder, readdirSync(folder)[0]!))
}
