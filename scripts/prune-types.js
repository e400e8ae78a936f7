import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Of all declarations that the compiler writes, the package needs those its exports lead to; the others would name
 * packages that users do not have. Their imports are given the endings of what is there.
 */
const folder = 'dist/types'
const entries = ['index.d.ts', 'testing/vitest.d.ts', 'testing/playwright.d.ts']
const needed = new Set()

function follow(file) {
  if (needed.has(file)) return
  needed.add(file)
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  for (const [, from] of text.matchAll(/from '(\.[^']+)\.ts'/g)) follow(join(dirname(file), `${from}.d.ts`))
  writeFileSync(path, text.replace(/(from '\.[^']+)\.ts'/g, "$1.js'"))
}

for (const entry of entries) follow(entry)
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const path = join(folder, file)
  if (file.endsWith('.d.ts') && !needed.has(file)) rmSync(path)
}
for (const entry of readdirSync(folder, { withFileTypes: true })) {
  const path = join(folder, entry.name)
  if (
    entry.isDirectory() &&
    existsSync(path) &&
    readdirSync(path, { recursive: true }).every(name => !String(name).endsWith('.d.ts'))
  )
    rmSync(path, { recursive: true })
}
