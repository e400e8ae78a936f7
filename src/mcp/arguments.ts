import { isObject, parseJson } from '../basics/json.ts'
import { didYouMean, nearest } from '../basics/nearest.ts'
import type { AgentTool } from './tools.ts'

type Arguments = Record<string, unknown>

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
export function checkArguments(owner: string, taken: Argument[], given: Arguments) {
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

/** The request to the control plane that a call of a tool makes; throws an ArgumentError. */
export function requestOf(tool: AgentTool, given: Arguments, defaultSandbox: string) {
  const { properties, required } = tool.input
  // Some models send null for arguments that they leave out; only a few arguments take null.
  const wanted = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || takesNull(properties[name])),
  )
  const taken = Object.entries(properties).map(([name, { description }]) => ({
    name,
    description: description as string | undefined,
    required: required.includes(name),
  }))
  checkArguments(tool.name, taken, wanted)
  const { sandbox = defaultSandbox } = wanted
  const path = tool.path
    .replace(/^\/_sim/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(tool, name, { sandbox, ...wanted }[name])))
  const query = new URLSearchParams(tool.sets)
  const members: Arguments = {}
  let body: unknown
  for (const [name, value] of Object.entries(wanted)) {
    const place = tool.places.get(name)
    if (place === 'query') query.set(name, asText(tool, name, value))
    if (place === 'member') members[name] = value
    if (place === 'body') body = asObject(tool, name, value)
  }
  const takesMembers = [...tool.places.values()].includes('member')
  return {
    method: tool.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    body: body ?? (takesMembers ? members : undefined),
    sandbox: tool.path.includes('{sandbox}') ? String(sandbox) : undefined,
  }
}

const takesNull = (schema: Arguments | undefined) => Array.isArray(schema?.type) && schema.type.includes('null')

/** With the flag u, only a half is one character. */
const HALF_A_PAIR = /\p{Surrogate}/u

function asText(tool: AgentTool, name: string, value: unknown): string {
  if (typeof value === 'string' && HALF_A_PAIR.test(value))
    throw new ArgumentError(`The argument "${name}" of ${tool.name} has half of a surrogate pair in it.`)
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  // A filter is sent as JSON.
  if (isObject(value) && tool.places.get(name) === 'query') return JSON.stringify(value)
  throw new ArgumentError(`The argument "${name}" of ${tool.name} must be a text that is not empty.`)
}

/** Some models send an object as text. */
function asObject(tool: AgentTool, name: string, value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (isObject(parsed)) return parsed
  throw new ArgumentError(`The argument "${name}" of ${tool.name} must be an object.`)
}
