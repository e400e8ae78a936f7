import type { Shape } from '../../../scripts/record.ts'
import { isObject } from '../../../src/basics/json.ts'

/** Differences between a response and the record, by field path. */
export function differences(recorded: Shape | undefined, answered: unknown, url: string, at = ''): string[] {
  if (isObject(recorded) && isObject(answered)) {
    const theirs = recorded as Record<string, Shape>
    const own = withPrefixes(theirs, answered as Record<string, unknown>)
    const members = [...new Set([...Object.keys(theirs), ...Object.keys(own)])]
    return [
      ...members.flatMap(name => differences(theirs[name], own[name], url, at ? `${at}.${name}` : name)),
      ...(theirs.id && theirs.uri === 'uri' && !String(own.uri).endsWith(`/${own.id}`)
        ? [`${at ? `${at}.uri` : 'uri'}: recorded uri of the id, answered ${nameOf(own.uri)}`]
        : []),
    ]
  }
  if (Array.isArray(recorded) && Array.isArray(answered) && recorded.length > 0 && answered.length > 0)
    return answered.flatMap((item, i) => differences(recorded[0], item, url, `${at}[${i}]`))
  return fits(recorded, answered, url)
    ? []
    : [`${at || 'body'}: recorded ${shapeName(recorded)}, answered ${nameOf(answered)}`]
}

/** Fields with different values in the request and the response. */
export function changedValues(sent: unknown, answered: unknown, at = ''): string[] {
  if (isObject(sent) && isObject(answered))
    return Object.entries(sent).flatMap(([name, value]) =>
      changedValues(value, (answered as Record<string, unknown>)[name], at ? `${at}.${name}` : name),
    )
  if (Array.isArray(sent) && Array.isArray(answered) && sent.some(isObject))
    return sent.flatMap((item, i) => changedValues(item, answered[i], `${at}[${i}]`))
  // Some input is not returned, and IDs may be returned as references.
  if (sent === null || answered === undefined || answered === null || typeof sent !== typeof answered) return []
  const same = JSON.stringify(sent) === JSON.stringify(answered)
  return same ? [] : [`${at}: given ${JSON.stringify(sent)}, answered ${JSON.stringify(answered)}`]
}

/** ID fields, which the record names by prefix. */
function withPrefixes(recorded: Record<string, Shape>, answered: Record<string, unknown>) {
  const prefixes = Object.keys(recorded).filter(name => name.endsWith('_'))
  const named = (name: string) => prefixes.find(prefix => name.startsWith(prefix)) ?? name
  return Object.fromEntries(Object.entries(answered).map(([name, value]) => [named(name), value]))
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

function fits(recorded: Shape | undefined, answered: unknown, url: string): boolean {
  if (recorded === undefined || recorded === null) return answered === recorded
  if (typeof recorded !== 'string')
    return Array.isArray(recorded) && Array.isArray(answered) && recorded.length === answered.length
  if (['string', 'boolean', 'number'].includes(recorded)) return typeof answered === recorded
  if (typeof answered !== 'string') return false
  if (recorded === 'time') return TIME.test(answered)
  if (recorded === 'uri') return answered.startsWith(`${url}/`)
  return answered.startsWith(recorded) && /^[A-Za-z0-9_-]{1,64}$/.test(answered.slice(recorded.length))
}

const shapeName = (shape: Shape | undefined) =>
  typeof shape !== 'string' ? nameOf(shape) : shape.endsWith('_') ? `id with ${shape}` : shape

function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length > 0 ? 'list' : 'empty list'
  if (isObject(value)) return 'object'
  return value === null ? 'null' : `${typeof value} ${JSON.stringify(value)}`
}
