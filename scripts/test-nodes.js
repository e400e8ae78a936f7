import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installIn, root, run } from './installed.js'

/**
 * npm run test:nodes: runs smoke.js on the packed package with every supported Node, installed from a registry.
 * The first version is the oldest that `engines` allows.
 */
const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ['20.19.0', '20', '22', '24']
const folder = mkdtempSync(join(tmpdir(), 'edgesim-nodes-'))

try {
  const installed = installIn(folder)
  for (const version of VERSIONS) {
    const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    const at = join(folder, `node-${version}`)
    run('npm', ['install', '--prefix', at, '--silent', '--no-save', `${name}@${version}`], { cwd: folder })
    const node = ['bin/node', 'bin/node.exe'].map(file => join(at, 'node_modules', name, file)).find(existsSync)
    run(node, [join(root, 'scripts/smoke.js'), installed], { cwd: folder, stdio: 'inherit' })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
