import { randomBytes } from 'node:crypto'
import { isObject } from '../../basics/json.ts'
import { anyOf } from '../../basics/text.ts'
import { type ErrorName, errors } from '../../contract/errors.ts'
import type { Method } from '../../schema/index.ts'
import type { ServiceResponse } from '../response.ts'

type Json = Record<string, unknown>

/** Requests, and how the answers to them tell the value of an assumption. */
export interface Experiment {
  /** They are sent in this order until one is decisive. */
  steps: readonly Step[]
  /** What the value says too, and these requests do not show. */
  leavesOpen?: string
}

/** An assumption that nothing is sent for. */
export interface NotTried {
  /** Why it cannot be decided without harm, or not by requests to the API. */
  because: string
}

/** HEAD and OPTIONS change nothing. */
export type ProbeMethod = Method | 'HEAD' | 'OPTIONS'

/**
 * A request. In its path and body, {mark} stands for the mark of what it makes, {run} for the id of the run, {new} for
 * letters that are the id of nothing, and other names for the ids of what earlier steps made. What a POST makes has the
 * mark in its metadata, and is deleted at the end.
 */
export interface Step {
  method: ProbeMethod
  path: string
  body?: Json
  /** Another version than the usual one, or none. */
  version?: string | null
  /** The name of what it makes. */
  as?: string
  /** The first that fits counts. An answer that none fits was not foreseen. */
  meanings: readonly Meaning[]
}

/** Whether it makes something of its own. What is made inside something else is deleted with that. */
export const isMaking = ({ method, path }: Step) => method === 'POST' && !path.includes('{')

/** The name of what an earlier step made and this one changes, and the path of that. */
export function changedBy({ method, path }: Step): { name: string; path: string } | undefined {
  const [to, name] = /^[^{]*\{(\w+)\}/.exec(path) ?? []
  return ['POST', 'PATCH', 'PUT', 'DELETE'].includes(method) && name !== undefined ? { name, path: to! } : undefined
}

/** What an answer means: a value, that no value can be told, or that the next step is due. */
export type Meaning = { match: Match } & ({ value: string } | { undecided: string } | { goOn: true })

export interface Match {
  /** `400 with error 1802` */
  words: string
  fits(response: ServiceResponse, ids: Readonly<Record<string, string>>): boolean
}

export const means = (value: string, match: Match): Meaning => ({ value, match })
export const goOn = (match: Match): Meaning => ({ goOn: true, match })
const undecided = (why: string, match: Match): Meaning => ({ undecided: why, match })

export const status = (...statuses: number[]): Match => ({
  words: anyOf(statuses.map(String)),
  fits: response => statuses.includes(response.status),
})

/** The status, and something about the body. */
export const shows = (words: string, check: (body: Json, ids: Readonly<Record<string, string>>) => unknown): Match => ({
  words: `200 or 201, ${words}`,
  fits: ({ status, body }, ids) => (status === 200 || status === 201) && isObject(body) && Boolean(check(body, ids)),
})

/** Refused with one of these errors, by their numbers: the status is not known of all. */
export const refused = (...names: ErrorName[]): Match => {
  const numbers = names.map(name => errors[name].code)
  return {
    words: `an error with the number ${anyOf(numbers.map(String))}`,
    fits: ({ status, body }) => status >= 400 && status < 500 && numbers.includes(numberOf(body)),
  }
}

/** The number at the end of `ERR_NGROK_1802`. */
function numberOf(body: unknown): number | null {
  const code = isObject(body) ? body.error_code : undefined
  const digits = typeof code === 'string' ? /^ERR_(?!EDGESIM)[A-Z0-9_]+_(\d+)$/.exec(code)?.[1] : undefined
  return digits === undefined ? null : Number(digits)
}

/** What there is to ask about is not there, or not for this key. */
export const absentAt = (path: string): Meaning =>
  undecided(`${path} is not there, or this key may not use it`, status(402, 403, 404, 501))

/** Asks by a request that makes something if it is not refused. */
export const tryToMake = (path: string, body: Json, ...responses: Meaning[]): Step => ({
  method: 'POST',
  path,
  body,
  meanings: [...responses, absentAt(path)],
})

/** Makes what an experiment needs. */
export const make = (path: string, as: string, body: Json = {}, ...others: Meaning[]): Step => ({
  ...tryToMake(path, body, goOn(status(201)), ...others),
  as,
})

export const policy = (as = 'policy') => make('/ip_policies', as)

/** Restrictions are never enforced: one that is could keep people out. */
export const restriction = (as: string, body: Json = { ip_policy_ids: ['{policy}'] }): Step =>
  make(
    '/ip_restrictions',
    as,
    { type: 'dashboard', enforced: false, ...body },
    undecided('the account has a restriction of the type dashboard already, and may have one', refused('one_per_type')),
  )

export const noEdges = undecided(
  'the service has no edges, or none that can be written',
  refused('edges_gone', 'edges_read_only'),
)

/** Edges have no address, so that no traffic reaches them. */
export const edge = (kind: 'tcp' | 'https') => make(`/edges/${kind}`, 'edge', {}, noEdges)
export const route = () =>
  make('/edges/https/{edge}/routes', 'route', { match_type: 'exact_path', match: '/edgesim-probe' })

export const get = (path: string, ...responses: Meaning[]): Step => ({ method: 'GET', path, meanings: responses })
export const patch = (path: string, body: Json, ...responses: Meaning[]): Step => ({
  method: 'PATCH',
  path,
  body,
  meanings: responses,
})
export const put = (path: string, body: Json, ...responses: Meaning[]): Step => ({
  method: 'PUT',
  path,
  body,
  meanings: responses,
})
export const remove = (path: string, ...responses: Meaning[]): Step => ({ method: 'DELETE', path, meanings: responses })

/** The ids in a list of records or references. */
export const idsIn = (list: unknown): unknown[] =>
  Array.isArray(list) ? list.map(each => (isObject(each) ? each.id : undefined)) : []

/** The records of a list, whatever it is called. */
export const recordsIn = (body: unknown): Json[] =>
  isObject(body) ? Object.values(body).filter(Array.isArray).flat().filter(isObject) : []

const WORD = 'edgesim_probe_'
const RUN = /[0-9a-f]{16}/
const DIGITS = 4

/** Of every mark. */
export const MARK_LENGTH = WORD.length + 16 + 1 + DIGITS

/** Nobody can guess it, and it may be part of a host name. */
export const newRun = () => randomBytes(8).toString('hex')
export const isRun = (text: unknown) => typeof text === 'string' && new RegExp(`^${RUN.source}$`).test(text)

/** What the nth thing that a run makes has in its metadata. */
export const markOf = (run: string, n: number) => `${WORD}${run}_${String(n).padStart(DIGITS, '0')}`
export const isMark = (text: unknown): text is string =>
  typeof text === 'string' && new RegExp(`^${WORD}${RUN.source}_\\d{${DIGITS},}$`).test(text)
