#!/usr/bin/env node
// An older Node must be able to parse this file to print the message below: no `?.`.
// The version is that of `engines` in package.json.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`edgesim needs Node 20.19 or newer; this is Node ${process.versions.node}.`)
  process.exit(1)
}
// From Node 22 on, compiled code is kept for the next start.
const { enableCompileCache } = require('node:module')
if (enableCompileCache) enableCompileCache()
const { main } = require('../dist/program/main.cjs')
main(process.argv.slice(2), process.env).then(code => process.exit(code))
