import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Of all declarations that the compiler writes, the package needs those its exports lead to; the others would name
 * packages that users do not have. Their imports are given the endings of what is there.
 */
const folder = 'dist/types'
const entries = ['index.d.ts', 'testing/vitest.d.ts', 'testing/playwright.d.ts']
/** What users of an entry have installed; Node's own types are not among it. */
const ALLOWED = ['vitest', '@playwright/test']
const needed = new Set()

function follow(file) {
  if (needed.has(file)) return
  needed.add(file)
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  for (const [, from] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
    if (from.startsWith('.')) follow(join(dirname(file), from.replace(/\.ts$/, '.d.ts')))
    else if (!ALLOWED.includes(from)) {
      // One import of a type from an index can lead to all that the index leads to.
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
for (const entry of readdirSync(folder, { withFileTypes: true })) {
  const path = join(folder, entry.name)
  const isEmpty = () => readdirSync(path, { recursive: true, encoding: 'utf8' }).every(name => !name.endsWith('.d.ts'))
  if (entry.isDirectory() && existsSync(path) && isEmpty()) rmSync(path, { recursive: true })
}
