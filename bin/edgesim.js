#!/usr/bin/env node
import module from 'node:module'

// From Node 22 on, what was compiled once is kept for the next start.
module.enableCompileCache?.()
const { main } = await import('../dist/cli.js')
process.exit(await main(process.argv.slice(2), process.env))
