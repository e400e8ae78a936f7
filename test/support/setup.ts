import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll } from 'vitest'
import { fileName, finishFile } from './afterwards.ts'

/** Vitest runs this once for every file of tests, before it. */
afterAll(async () => {
  await finishFile()
  const left = readdirSync(tmpdir()).filter(name => name.startsWith(`edgesim-${process.pid}-`))
  if (left.length > 0) throw new Error(`${fileName()} has not closed the simulators of ${left.join(', ')}`)
})
