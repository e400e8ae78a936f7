import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type NamedFiles, shelfOf } from '../files/named-files.ts'
import { didYouMean, nearest } from '../words/nearest.ts'
import { COMMANDS } from './commands.ts'
import type { Resolved } from './resolve.ts'
import { UsageError } from './usage-error.ts'

/** A fixture and a scenario are files, or names on the shelf. */
export function checkNames({ values, sources }: Resolved) {
  check(values.fixture, shelfOf('fixtures', values.fixturesDir), names =>
    complaint(String(values.fixture), sources.fixture!, names),
  )
  check(values.scenario, shelfOf('scenarios', values.scenariosDir), names => {
    const hint = didYouMean(nearest(String(values.scenario), names))
    return `${sources.scenario}: there is no file and no scenario ${values.scenario}.${hint} Known: ${names.join(', ')}`
  })
}

function check(given: unknown, shelf: NamedFiles, complain: (names: string[]) => string) {
  if (typeof given !== 'string' || existsSync(given) || shelf.find(given)) return
  throw new UsageError(complain(shelf.names()))
}

/** A word that is not a command names a fixture; if there is neither, both may have been meant. */

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
