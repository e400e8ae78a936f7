import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { didYouMean, nearest, suggest } from '../basics/nearest.ts'
import { STDIN } from '../files/document.ts'
import { NamedFiles } from '../files/named-files.ts'
import { COMMANDS, type Command, commands } from './commands/commands.ts'
import { UsageError } from './process/exit-code.ts'
import type { Resolved } from './resolve.ts'

/** Checks that the fixture and the scenario exist: as files, or by name. */
export function checkNames({ values, sources }: Resolved) {
  check('fixture', values.fixture, sources, new NamedFiles('fixtures', values.fixturesDir))
  check('scenario', values.scenario, sources, new NamedFiles('scenarios', values.scenariosDir))
  if (values.watch && values.fixture === STDIN)
    throw new UsageError('--watch needs a file to watch, and the fixture comes from stdin.')
}

function check(what: 'fixture' | 'scenario', given: unknown, sources: Resolved['sources'], named: NamedFiles) {
  if (typeof given !== 'string' || isThere(what, given, named)) return
  // A fixture is mostly given without its flag, so the message does not name the flag.
  const source = sources[what] === '--fixture' ? '' : `${sources[what]}: `
  const file = nearest(basename(given), filesIn(dirname(given)))
  if (file || isPath(given))
    throw new UsageError(`${source}there is no file ${given}.${didYouMean(file && join(dirname(given), file))}`)
  throw new UsageError(`${source}there is no file and no ${what} ${given}.${suggest(given, named.names())}`)
}

const isThere = (what: string, given: string, named: NamedFiles) =>
  (what === 'fixture' && given === STDIN) || existsSync(given) || named.find(given) !== undefined

const isPath = (given: string) => /[./\\]/.test(given)

/** The first word is a command or a fixture. Throws when it is neither, with what may have been meant. */
export function checkFirstWord(word: string | undefined, { values }: Resolved) {
  if (word === undefined || word !== values.fixture) return
  const named = new NamedFiles('fixtures', values.fixturesDir)
  if (isPath(word) || isThere('fixture', word, named)) return
  const called = (Object.entries(commands) as [string, Command][]).find(([, { alsoCalled }]) =>
    alsoCalled?.includes(word),
  )
  const command = called?.[0] ?? nearest(word, COMMANDS)
  if (command) throw new UsageError(`there is no command "${word}".${didYouMean(`edgesim ${command}`)}`)
  const file = nearest(word, [...named.names(), ...filesIn('.')])
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
