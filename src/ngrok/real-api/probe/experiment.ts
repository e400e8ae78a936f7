import { randomBytes } from 'node:crypto'
import { isObject } from '../../../basics/json.ts'
import { anyOf } from '../../../basics/text.ts'
import type { ErrorKind } from '../../../engine/error.ts'
import type { Method } from '../../../engine/language/index.ts'
import { codeOf } from '../../codes.ts'
import { errors } from '../../errors.ts'
import type { ServiceResponse } from '../response.ts'

type Json = Record<string, unknown>

/** Requests, and what their responses mean for an assumption. */
export interface Experiment {
  /** Sent in this order until one is decisive. */
  steps: readonly Step[]
  /** Aspects of the value that these requests do not cover. */
  leavesOpen?: string
}

/** An assumption without an experiment. */
export interface NotTested {
  /** Why an experiment would do harm, or cannot work with API requests. */
  because: string
}

/** HEAD and OPTIONS change nothing. */
export type ProbeMethod = Method | 'HEAD' | 'OPTIONS'

/**
 * A request. In its path and body, {mark} is the marker of the record it creates, {run} the id of the run, {new} an
 * unused id, and other names are the ids of records created by earlier steps. Records created by POST have the marker
 * in their metadata and are deleted at the end.
 */
export interface Step {
  method: ProbeMethod
  path: string
  body?: Json
  /** A version other than the default, or none. */
  version?: string | null
  /** The name for the id of the created record. */
  as?: string
  /** The first match counts. A response without a match is unexpected. */
  meanings: readonly Meaning[]
}

/** Whether the step creates a top-level record. Nested records are deleted with their parent. */
export const createsRecord = ({ method, path }: Step) => method === 'POST' && !path.includes('{')

/** The record that this step changes: its name in an earlier step, and its path. */
export function changedBy({ method, path }: Step): { name: string; path: string } | undefined {
  const [to, name] = /^[^{]*\{(\w+)\}/.exec(path) ?? []
  return ['POST', 'PATCH', 'PUT', 'DELETE'].includes(method) && name !== undefined ? { name, path: to! } : undefined
}

/** What a response means: a value, that the value is undecided, or that the next step follows. */
export type Meaning = { match: Match } & ({ value: string } | { undecided: string } | { continues: true })

export interface Match {
  /** `400 with error 1802` */
  words: string
  fits(response: ServiceResponse, ids: Readonly<Record<string, string>>): boolean
}

export const means = (value: string, match: Match): Meaning => ({ value, match })
export const next = (match: Match): Meaning => ({ continues: true, match })
const undecided = (why: string, match: Match): Meaning => ({ undecided: why, match })

export const status = (...statuses: number[]): Match => ({
  words: anyOf(statuses.map(String)),
  fits: response => statuses.includes(response.status),
})

/** A successful status, and a check of the body. */
export const shows = (words: string, check: (body: Json, ids: Readonly<Record<string, string>>) => unknown): Match => ({
  words: `200 or 201, ${words}`,
  fits: ({ status, body }, ids) => (status === 200 || status === 201) && isObject(body) && Boolean(check(body, ids)),
})

/** Rejected with one of these error numbers. The status of some is unknown. */
export const rejected = (...kinds: ErrorKind[]): Match => {
  const numbers = kinds.map(kind => codeOf(kind).code)
  return {
    words: `error ${anyOf(numbers.map(String))}`,
    fits: ({ status, body }) => status >= 400 && status < 500 && numbers.includes(numberOf(body)),
  }
}

/** The number at the end of `ERR_NGROK_1802`. */
function numberOf(body: unknown): number | null {
  const code = isObject(body) ? body.error_code : undefined
  const digits = typeof code === 'string' ? /^ERR_(?!EDGESIM)[A-Z0-9_]+_(\d+)$/.exec(code)?.[1] : undefined
  return digits === undefined ? null : Number(digits)
}

/** The resource does not exist, or this key has no access. */
export const unavailable = (path: string): Meaning =>
  undecided(`${path} does not exist, or this key has no access`, status(402, 403, 404, 501))

/** A request that creates a record if it is accepted. */
export const tryCreate = (path: string, body: Json, ...responses: Meaning[]): Step => ({
  method: 'POST',
  path,
  body,
  meanings: [...responses, unavailable(path)],
})

/** Creates a record that later steps use. */
export const create = (path: string, as: string, body: Json = {}, ...others: Meaning[]): Step => ({
  ...tryCreate(path, body, next(status(201)), ...others),
  as,
})

export const policy = (as = 'policy') => create('/ip_policies', as)

/** Restrictions are never enforced: an enforced one could lock people out. */
export const restriction = (as: string, body: Json = { ip_policy_ids: ['{policy}'] }): Step =>
  create(
    '/ip_restrictions',
    as,
    { type: 'dashboard', enforced: false, ...body },
    undecided(
      'the account already has a restriction of type dashboard, and may have only one',
      rejected(errors.one_per_type),
    ),
  )

export const noEdges = undecided(
  'the API has no edges, or they are read-only',
  rejected(errors.edges_gone, errors.edges_read_only),
)

/** Edges have no address, so they receive no traffic. */
export const edge = (kind: 'tcp' | 'https') => create(`/edges/${kind}`, 'edge', {}, noEdges)
export const route = () =>
  create('/edges/https/{edge}/routes', 'route', { match_type: 'exact_path', match: '/edgesim-probe' })

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

/** The records of a list, under any field name. */
export const recordsIn = (body: unknown): Json[] =>
  isObject(body) ? Object.values(body).filter(Array.isArray).flat().filter(isObject) : []

const WORD = 'edgesim_probe_'
const RUN = /[0-9a-f]{16}/
const DIGITS = 4

export const MARK_LENGTH = WORD.length + 16 + 1 + DIGITS

/** Unguessable, and valid in a host name. */
export const newRun = () => randomBytes(8).toString('hex')
export const isRun = (text: unknown) => typeof text === 'string' && new RegExp(`^${RUN.source}$`).test(text)

/** The marker in the metadata of the nth record of a run. */
export const markOf = (run: string, n: number) => `${WORD}${run}_${String(n).padStart(DIGITS, '0')}`
export const isMark = (text: unknown): text is string =>
  typeof text === 'string' && new RegExp(`^${WORD}${RUN.source}_\\d{${DIGITS},}$`).test(text)
