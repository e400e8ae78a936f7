import { isObject } from '../../basics/json.ts'
import { STDIN } from '../../engine/files/document.ts'
import { type Option, type OptionName, options, type SimulatorOptions } from './options.ts'
import { type CheckedAssumed, withoutVerdicts } from './values.ts'

/** An option's value for display: without secrets, inline documents and probe verdicts. */
export function shown(name: OptionName, value: unknown): unknown {
  const { kind, secret }: Option = options[name]
  if (secret) return '[set]'
  if (kind === 'assumed') return withoutVerdicts(value as CheckedAssumed)
  if (kind === 'fixture' && value === STDIN) return 'stdin'
  return (kind === 'fixture' || kind === 'scenario') && isObject(value) ? 'inline' : value
}

export const shownOptions = (given: SimulatorOptions) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, shown(name as OptionName, value)]))
