import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder for the tarball that npm would publish. */
    packed: string
  }
}

/** Packs edgesim once for all tests that install it, while others run. */
export default function setup(project: TestProject) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  const [making, made] = [join(folder, 'making'), join(folder, 'made')]
  mkdirSync(making)
  project.provide('packed', made)
  // `prepack` without the build.
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
