import { didYouMean, nearest } from '../basics/nearest.ts'

/** An agent gave wrong arguments; the message says what to give instead. */
export class ArgumentError extends Error {
  override name = 'ArgumentError'
}

export interface Argument {
  name: string
  description?: string
  required: boolean
}

/** Checks the names of the arguments of a tool or prompt, not their values. */
export function checkArguments(owner: string, taken: Argument[], given: Record<string, unknown>) {
  const known = taken.map(({ name }) => name)
  const takes = known.length > 0 ? `It takes: ${known.join(', ')}.` : 'It takes none.'
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown !== undefined) {
    const hint = didYouMean(nearest(unknown, known))
    throw new ArgumentError(`${owner} has no argument ${JSON.stringify(unknown.slice(0, 80))}.${hint} ${takes}`)
  }
  const missing = taken.find(({ name, required }) => required && given[name] === undefined)
  if (missing === undefined) return
  const { name, description } = missing
  throw new ArgumentError(`${owner} needs the argument "${name}"${description ? `: ${description}` : ''}. ${takes}`)
}
