import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { didYouMean, nearest, suggest } from '../basics/nearest.ts'
import { STDIN } from '../engine/files/document.ts'
import { NamedFiles } from '../engine/files/named-files.ts'
import { COMMANDS, type Command, commands } from './commands/commands.ts'
import { UsageError } from './process/exit-code.ts'
import type { Resolved } from './resolve.ts'

/** Checks that the fixture and the scenario exist, as files or by name. */
export function checkNames({ values, sources }: Resolved) {
  check('fixture', values.fixture, sources, new NamedFiles('fixtures', values.fixturesDir))
  check('scenario', values.scenario, sources, new NamedFiles('scenarios', values.scenariosDir))
  if (values.watch && values.fixture === STDIN) throw new UsageError('--watch cannot watch stdin. Use a fixture file.')
}

function check(what: 'fixture' | 'scenario', given: unknown, sources: Resolved['sources'], named: NamedFiles) {
  if (typeof given !== 'string' || exists(what, given, named)) return
  // A fixture rarely has its flag, so the message omits it.
  const source = sources[what] === '--fixture' ? '' : `${sources[what]}: `
  const file = nearest(basename(given), filesIn(dirname(given)))
  if (file || isPath(given))
    throw new UsageError(`${source}File not found: ${given}.${didYouMean(file && join(dirname(given), file))}`)
  throw new UsageError(`${source}No file or ${what} named "${given}".${suggest(given, named.names())}`)
}

const exists = (what: string, given: string, named: NamedFiles) =>
  (what === 'fixture' && given === STDIN) || existsSync(given) || named.find(given) !== undefined

const isPath = (given: string) => /[./\\]/.test(given)

/** Throws if the first word is neither a command nor a fixture, with a suggestion. */
export function checkFirstWord(word: string | undefined, { values }: Resolved) {
  if (word === undefined || word !== values.fixture) return
  const named = new NamedFiles('fixtures', values.fixturesDir)
  if (isPath(word) || exists('fixture', word, named)) return
  const called = (Object.entries(commands) as [string, Command][]).find(([, { alsoCalled }]) =>
    alsoCalled?.includes(word),
  )
  const command = called?.[0] ?? nearest(word, COMMANDS)
  if (command) throw new UsageError(`Unknown command "${word}".${didYouMean(`edgesim ${command}`)}`)
  const file = nearest(word, [...named.names(), ...filesIn('.')])
  const hint = didYouMean(file) || ` Commands: ${COMMANDS.join(', ')}. To serve a file, pass its path.`
  throw new UsageError(`No command or fixture named "${word}".${hint}`)
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /\.(json|ya?ml)$/i.test(name))
  } catch {
    return []
  }
}
