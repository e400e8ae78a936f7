import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { didYouMean, nearest, suggest } from '../basics/nearest.ts'
import { STDIN } from '../files/document.ts'
import { type NamedFiles, namedFiles } from '../files/named-files.ts'
import { COMMANDS, type Command, commands } from './commands/commands.ts'
import type { Resolved } from './resolve.ts'
import { UsageError } from './usage-error.ts'

/** A fixture and a scenario are files, or names on the shelf. */
export function checkNames({ values, sources }: Resolved) {
  check('fixture', values.fixture, sources, namedFiles('fixtures', values.fixturesDir))
  check('scenario', values.scenario, sources, namedFiles('scenarios', values.scenariosDir))
  if (values.watch && values.fixture === STDIN)
    throw new UsageError('--watch needs a file to watch, and the fixture comes from stdin.')
}

function check(what: 'fixture' | 'scenario', given: unknown, sources: Resolved['sources'], shelf: NamedFiles) {
  if (typeof given !== 'string' || isThere(what, given, shelf)) return
  // As the first word it needs no flag, and then the flag would say nothing to its author.
  const source = sources[what] === '--fixture' ? '' : `${sources[what]}: `
  const file = nearest(basename(given), filesIn(dirname(given)))
  if (file || isPath(given))
    throw new UsageError(`${source}there is no file ${given}.${didYouMean(file && join(dirname(given), file))}`)
  throw new UsageError(`${source}there is no file and no ${what} ${given}.${suggest(given, shelf.names())}`)
}

const isThere = (what: string, given: string, shelf: NamedFiles) =>
  (what === 'fixture' && given === STDIN) || existsSync(given) || shelf.find(given) !== undefined

const isPath = (given: string) => /[./\\]/.test(given)

/** A first word that is not a command names a fixture; one that cannot was meant as a command. */
export function refuseUnknownCommand(word: string | undefined, { values }: Resolved) {
  if (word === undefined || word !== values.fixture) return
  const shelf = namedFiles('fixtures', values.fixturesDir)
  if (isPath(word) || isThere('fixture', word, shelf)) return
  const called = (Object.entries(commands) as [string, Command][]).find(([, { alsoCalled }]) =>
    alsoCalled?.includes(word),
  )
  const command = called?.[0] ?? nearest(word, COMMANDS)
  if (command) throw new UsageError(`there is no command "${word}".${didYouMean(`edgesim ${command}`)}`)
  const file = nearest(word, [...shelf.names(), ...filesIn('.')])
  const hint = didYouMean(file) || ` Commands: ${COMMANDS.join(', ')}. Anything else names a fixture.`
  throw new UsageError(`there is no command and no fixture "${word}".${hint}`)
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /\.(json|ya?ml)$/i.test(name))
  } catch {
    return []
  }
}
