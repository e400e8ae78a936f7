import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Keeps only declarations that the exports import. Others need packages that users lack. `.ts` imports become `.js`. */
const folder = 'dist/types'
const entries = ['index.d.ts', 'library/testing/vitest.d.ts', 'library/testing/playwright.d.ts']
/** Packages that users of an entry have installed. Node's types are not among them. */
const INSTALLED = ['vitest', '@playwright/test']
const needed = new Set()

function follow(file) {
  if (needed.has(file)) return
  needed.add(file)
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  for (const [, from] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
    if (from.startsWith('.')) follow(join(dirname(file), from.replace(/\.ts$/, '.d.ts')))
    else if (!INSTALLED.includes(from)) {
      // A type imported from an index also brings the imports of that index.
      throw new Error(`${file} imports ${from}, which users do not have: import the type from the file it is in.`)
    }
  }
  writeFileSync(path, text.replace(/(from '\.[^']+)\.ts'/g, "$1.js'"))
}

for (const entry of entries) follow(entry)
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const path = join(folder, file)
  if (file.endsWith('.d.ts') && !needed.has(file)) rmSync(path)
}
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
  const isEmpty = () => readdirSync(path, { recursive: true, encoding: 'utf8' }).every(name => !name.endsWith('.d.ts'))
  if (entry.isDirectory() && existsSync(path) && isEmpty()) rmSync(path, { recursive: true })
}
