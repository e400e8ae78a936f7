#!/usr/bin/env node
// An older Node must be able to read this file, so that it can say what is missing: no top-level await, no `?.`.
// The version is the one of `engines` in package.json.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`edgesim needs Node 20.19 or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}
import('node:module')
  .then(({ default: { enableCompileCache } }) => {
    // From Node 22 on, what was compiled once is kept for the next start.
    if (enableCompileCache) enableCompileCache()
    return import('../dist/cli.js')
  })
  .then(({ main }) => main(process.argv.slice(2), process.env))
  .then(code => process.exit(code))
