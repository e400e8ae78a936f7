import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { shelfOf } from '../files/named-files.ts'
import { didYouMean, nearest } from '../words/nearest.ts'
import { COMMANDS } from './commands.ts'
import type { Resolved } from './resolve.ts'
import { UsageError } from './usage-error.ts'

/** A word that is not a command names a fixture; if there is neither, both may have been meant. */
export function checkFixtureName({ values, sources }: Resolved) {
  const given = values.fixture as string | undefined
  if (given === undefined || existsSync(given)) return
  const shelf = shelfOf('fixtures', values.fixturesDir)
  if (shelf.find(given)) return
  throw new UsageError(complaint(given, sources.fixture!, shelf.names()))
}

function complaint(given: string, source: string, names: string[]): string {
  const file = nearest(basename(given), filesIn(dirname(given)))
  const close = file ? join(dirname(given), file) : nearest(given, names)
  const hint = didYouMean(close)
  if (source !== '--fixture') return `${source}: there is no file ${given}.${hint}`
  const command = nearest(given, COMMANDS)
  if (command) return `there is no command "${given}", and no such file.${didYouMean(`edgesim ${command}`)}`
  if (hint) return `there is no file ${given}.${hint}`
  return `there is no command "${given}", and no such file. Commands are ${COMMANDS.join(', ')}; anything else names a fixture.`
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /\.(json|ya?ml)$/i.test(name))
  } catch {
    return []
  }
}
