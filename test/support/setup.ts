import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll } from 'vitest'
import { finishFile, whoRuns } from './afterwards.ts'

/** Vitest runs this once for every file of tests, before it. */
afterAll(async () => {
  await finishFile()
  const left = readdirSync(tmpdir()).filter(name => name.startsWith(`edgesim-${process.pid}-`))
  if (left.length > 0) throw new Error(`${whoRuns()} has not closed the simulators of ${left.join(', ')}`)
})
