import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs smoke.js on the packed package with every supported Node, each installed from npm (`npm run test:nodes`; needs a
 * registry). The first version is the oldest that `engines` allows.
 */
const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ['20.19.0', '20', '22', '24']
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'edgesim-nodes-'))
const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }

try {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { ...quiet, cwd: root })
  const [tarball] = readdirSync(folder)
  const installed = join(folder, 'node_modules/edgesim')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'], quiet)
  for (const version of VERSIONS) {
    const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    const at = join(folder, `node-${version}`)
    execFileSync('npm', ['install', '--prefix', at, '--silent', '--no-save', `${name}@${version}`], quiet)
    const node = ['bin/node', 'bin/node.exe'].map(file => join(at, 'node_modules', name, file)).find(existsSync)
    execFileSync(node, [join(root, 'scripts/smoke.js'), installed], { cwd: folder, stdio: 'inherit' })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
