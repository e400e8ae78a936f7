import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder where the tarball will be that npm would publish. */
    packed: string
  }
}

/** Packs once for all tests that install the package, while others run. Removed with the temp folder of the run. */
export default function setup(project: TestProject) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  const [making, made] = [join(folder, 'making'), join(folder, 'made')]
  mkdirSync(making)
  project.provide('packed', made)
  // All of `prepack` except the build, which is done already.
  const command = `node scripts/sbom.js && npm pack --ignore-scripts --pack-destination "${making}"`
  const npm = spawn(command, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], shell: true })
  let said = ''
  npm.stderr.setEncoding('utf8').on('data', text => {
    said += text
  })
  const ended = new Promise<void>(resolve => {
    npm.once('close', code => {
      if (code === 0) renameSync(making, made)
      else console.error(`${command} ended with ${code}:\n${said}`)
      resolve()
    })
  })
  return () => ended
}
