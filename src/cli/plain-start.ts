import { type OptionName, optionNames, options } from '../simulator/options/options.ts'
import { COMMANDS } from './commands/commands.ts'
import type { Resolved } from './resolve.ts'
import { REPEATABLE, toFlag } from './resolve.ts'

const byFlag = new Map(optionNames.map(name => [`--${toFlag(name)}`, name]))
byFlag.set('-p', 'port')

/**
 * The options of a valid command line that only starts the simulator, which is the most common one. Undefined for any
 * other: the full command line parses it, and takes longer to load than the simulator itself.
 */
export function readPlainStart(argv: string[]): Record<string, unknown> | undefined {
  const given: Record<string, unknown> = {}
  const words = argv[0] === 'start' ? argv.slice(1) : [...argv]
  while (words.length > 0) {
    const word = words.shift()!
    const at = word.startsWith('--') ? word.indexOf('=') : -1
    const name = byFlag.get(at < 0 ? word : word.slice(0, at))
    if (name === undefined) {
      if (word.startsWith('-') || COMMANDS.includes(word) || given.fixture !== undefined) return undefined
      given.fixture = word
    } else if (options[name].kind === 'switch') {
      // The next word could be its value.
      if (at >= 0 || /^(true|false)$/.test(words[0] ?? '')) return undefined
      given[name] = true
    } else {
      const value = readValue(name, at < 0 ? words.shift() : word.slice(at + 1), given[name])
      if (value === undefined) return undefined
      given[name] = value
    }
  }
  return given
}

/** Undefined if the value is missing or ambiguous. */
function readValue(name: OptionName, text: string | undefined, before: unknown): unknown {
  const { kind } = options[name]
  if (!text || text.startsWith('-') || /^["']/.test(text)) return undefined
  if (kind === 'number') return /^\d{1,9}$/.test(text) ? Number(text) : undefined
  return REPEATABLE.includes(kind) ? [...((before as string[]) ?? []), text] : text
}

export async function startOrPrint(resolved: Resolved): Promise<number> {
  if (resolved.values.printConfig) return (await import('./commands/print.ts')).printConfig(resolved)
  const { start } = await import('./commands/start.ts')
  return start(resolved)
}
