import { basename } from 'node:path'
import { assumptionSets, changeable, isAssumption, valuesOf } from '../../contract/assumptions.ts'
import { namedFiles } from '../../files/named-files.ts'
import { type Option, type OptionName, options } from '../../options/options.ts'
import { UsageError } from '../process/exit-code.ts'
import { toFlag } from '../resolve.ts'
import { COMMANDS, COMPLETE, type Command, type CommandName, commands } from './commands.ts'

/** A word that can come next, and what it does. */
type Offer = [word: string, describe?: string]

/** By shell: the script that asks us at every Tab key. Where we offer nothing, all of them complete files. */
const SCRIPTS: Record<string, string> = {
  bash: `_edgesim() {
  local IFS=$'\\n'
  COMPREPLY=($(edgesim ${COMPLETE} bash "\${COMP_WORDS[@]:1:COMP_CWORD}"))
}
complete -o bashdefault -o default -F _edgesim edgesim`,
  zsh: `#compdef edgesim
_edgesim() {
  local -a offers
  offers=("\${(@f)$(edgesim ${COMPLETE} zsh "\${(@)words[2,CURRENT]}")}")
  if [[ -n "$offers" ]]; then _describe edgesim offers; else _files; fi
}
compdef _edgesim edgesim`,
  fish: `complete -c edgesim -a '(edgesim ${COMPLETE} fish (commandline -opc)[2..] (commandline -ct))'`,
}

/** Prints the script of a shell, by default of the one that is used. */
export function printScript(given: string | undefined, env: NodeJS.ProcessEnv): number {
  const shell = given ?? basename(env.SHELL ?? '')
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
  if (script === undefined) {
    const known = Object.keys(SCRIPTS)
    const wrong = given === undefined ? `SHELL is ${JSON.stringify(shell)}` : `there is no script for ${given}`
    throw new UsageError(`completion: ${wrong}. Write edgesim completion SHELL, with one of ${known.join(', ')}.`)
  }
  console.log(script)
  return 0
}

/** Answers a script: the words so far, of which the last one is unfinished. */
export function complete([shell, ...words]: string[]): string[] {
  return offers(words).map(([word, describe]) => {
    if (!describe || shell === 'bash') return word
    return shell === 'zsh' ? `${word.replaceAll(':', '\\:')}:${describe}` : `${word}\t${describe}`
  })
}

/** Nothing where any text, or a file, is meant: shells complete files themselves. */
function offers(words: string[]): Offer[] {
  const before = words.slice(0, -1)
  // Bash takes the = of NAME=VALUE for a word of its own, and may give it as the last one.
  const current = words.at(-1) === '=' ? '' : (words.at(-1) ?? '')
  const pair = words.at(-1) === '=' ? before.at(-1) : before.at(-1) === '=' ? before.at(-2) : undefined
  const name = before.find(word => Object.hasOwn(commands, word)) as CommandName | undefined
  const all = pair && isAssumption(pair) ? asOffers(valuesOf(pair)) : next(commands[name ?? 'start'], before, current)
  return all.filter(([word]) => word.startsWith(current))
}

function next(command: Command, before: string[], current: string): Offer[] {
  const flags = flagsOf(command)
  const last = before.findLast(word => word.startsWith('-'))
  const flag = last && flags.get(last)
  if (flag && !current.startsWith('-') && (flag.many || before.at(-1) === last) && flag.values)
    return asOffers(flag.values(before))
  if (current.startsWith('-')) return Array.from(flags, ([word, { describe }]) => [word, describe])
  if (command === commands.completion && before.length === 1) return asOffers(Object.keys(SCRIPTS))
  if (before.length > 0) return []
  const known: Record<string, Command> = commands
  return [
    ...COMMANDS.map((word): Offer => [word, known[word]?.describe]),
    ...asOffers(namedFiles('fixtures', undefined).names()),
  ]
}

const asOffers = (words: readonly string[]) => words.map((word): Offer => [word])

interface Flag {
  describe?: string
  /** What it can be given, where that is known; the words before may tell where to look. */
  values?(before: string[]): readonly string[]
  /** Takes more than one. */
  many?: boolean
}

function flagsOf({ options: names, own = {} }: Command): Map<string, Flag> {
  const flags = names.map((name): [string, Flag] => [toFlag(name), { ...options[name], values: valuesFor(name) }])
  for (const [name, { describe, choices }] of Object.entries(own))
    flags.push([name, { describe, values: choices && (() => choices.map(String)) }])
  const vary = flags.find(([name]) => name === 'vary')?.[1]
  if (vary) Object.assign(vary, { values: changeable, many: true })
  flags.push(['help', { describe: 'Show help' }], ['version', { describe: 'Show version number' }])
  return new Map(flags.map(([name, flag]) => [`--${name}`, flag]))
}

function valuesFor(name: OptionName): Flag['values'] {
  const { kind, choices }: Option = options[name]
  if (choices) return () => choices
  if (kind === 'assumed')
    return () => [
      ...Object.keys(assumptionSets),
      ...changeable().flatMap(name => valuesOf(name).map(value => `${name}=${value}`)),
    ]
  if (kind === 'fixture') return before => namedFiles('fixtures', following('--fixtures-dir', before)).names()
  if (kind === 'scenario') return before => namedFiles('scenarios', following('--scenarios-dir', before)).names()
  return undefined
}

function following(flag: string, words: string[]): string | undefined {
  const at = words.lastIndexOf(flag)
  return at < 0 ? undefined : words[at + 1]
}
