#!/usr/bin/env node
// Older versions of Node must be able to parse this file: no `?.`. The version is the one of `engines` in package.json.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`edgesim requires Node 20.19 or newer, got Node ${process.versions.node}. Update Node.`)
  process.exit(1)
}
// Node 22 and newer cache compiled code for the next run.
const { enableCompileCache } = require('node:module')
if (enableCompileCache) enableCompileCache()
const { main } = require('../dist/program/main.cjs')
main(process.argv.slice(2), process.env).then(code => process.exit(code))
