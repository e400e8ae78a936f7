import { didYouMean, nearest } from '../basics/nearest.ts'

/** What an agent did wrong, in words that tell it what to do instead. */
export class Refusal extends Error {
  override name = 'Refusal'
}

interface Argument {
  name: string
  description?: string
  required: boolean
}

/** Whether a tool or prompt is given what it takes; what the values are worth is not looked at. */
export function checkArguments(owner: string, taken: Argument[], given: Record<string, unknown>) {
  const known = taken.map(({ name }) => name)
  const takes = known.length > 0 ? `It takes: ${known.join(', ')}.` : 'It takes none.'
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown !== undefined) {
    const hint = didYouMean(nearest(unknown, known))
    throw new Refusal(`${owner} has no argument ${JSON.stringify(unknown.slice(0, 80))}.${hint} ${takes}`)
  }
  const missing = taken.find(({ name, required }) => required && given[name] === undefined)
  if (missing === undefined) return
  const { name, description } = missing
  throw new Refusal(`${owner} needs the argument "${name}"${description ? `: ${description}` : ''}. ${takes}`)
}
