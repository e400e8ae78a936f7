import type { Heard, Reply } from '../../../support/raw-http.ts'
import type { Sent } from './wire.ts'

/** Responses with a 5xx status that are not defects. */
const EXPECTED = [
  // The fuzzer reaches `--max-sandboxes`.
  { status: 503, msg: /Cannot create the sandbox ".*": the limit of \d+ is reached/ },
  // Another connection reset or dropped the sandbox.
  { status: 503, msg: /was reset or dropped during this request/ },
]

/** Fields that errors of the control API have in addition to the usual four. */
const MORE = new Set(['matched', 'nearest', 'problems'])

function wrongWith({ status, headers, text }: Reply, method: string, scripted: boolean): string | undefined {
  if (status === 0) return scripted ? undefined : 'the response is not HTTP'
  if (status < 400) return undefined
  if (method === 'HEAD') return status >= 500 && status !== 503 ? `a ${status}` : undefined
  if (headers.get('content-type') !== 'application/json') return `an error as ${headers.get('content-type')}`
  let body: Record<string, unknown>
  try {
    body = JSON.parse(text)
  } catch {
    return 'an error that is not JSON'
  }
  const { error_code, status_code, msg, details, ...rest } = body
  const strange = Object.keys(rest).filter(name => !MORE.has(name))
  if (strange.length > 0) return `an error with ${strange.join(', ')}`
  if (status_code !== status) return `an error with status_code ${status_code}`
  // The 404 of an unknown id has no code, unless the vendor documents one.
  const codes = [`ERR_EDGESIM_${status}`, ...(status === 404 ? [undefined] : [])]
  if (!/^ERR_SERVICE_\d+$/.test(String(error_code)) && !codes.includes(error_code as string))
    return `an error with error_code ${error_code}`
  if (typeof msg !== 'string' || msg.length === 0) return 'an error without a msg'
  if (typeof details !== 'object' || details === null) return 'an error without details'
  if (Object.values(details).some(value => typeof value !== 'string'))
    return 'an error with details that are not strings'
  if (status === 405 && !headers.has('allow') && !/CONNECT/.test(msg)) return 'a 405 without Allow'
  if (status < 500 || scripted || EXPECTED.some(each => each.status === status && each.msg.test(msg))) return undefined
  return `a ${status}: ${msg}`
}

/** Responses to malformed bytes: they must come after the responses to the requests before them. */
const UNREADABLE = /Invalid HTTP request|CONNECT is not supported|Only 100-continue is/

export function wrongResponses(sent: Sent[], { replies, rest, closed }: Heard, scripted: boolean): string | undefined {
  for (const [i, reply] of replies.entries()) {
    const why = wrongWith(reply, sent[i]?.method ?? 'GET', scripted)
    if (why) return why
    if (sent[i]?.clean && UNREADABLE.test(reply.text)) return 'got the response to malformed bytes'
  }
  const odd = sent.find(({ clean }) => !clean)
  if (scripted || odd?.end === 'fin' || odd?.end === 'reset') return undefined
  // Malformed bytes may get two responses: to the readable part, and to the rest.
  if (rest.length > 0 && !odd)
    return `bytes that belong to no response: ${JSON.stringify(rest.toString('latin1', 0, 200))}`
  const ends = replies.at(-1)?.headers.get('connection')?.toLowerCase() === 'close'
  return closed && replies.length < sent.length && !ends ? 'the connection was closed without a response' : undefined
}
