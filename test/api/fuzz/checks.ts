import type { Heard, Reply } from '../../support/raw-http.ts'
import type { Sent } from './wire.ts'

/** Responses with a 5xx status that are not defects. */
const EXPECTED = [
  // `--max-sandboxes` is reached: the fuzzer makes as many as it can.
  { status: 503, msg: /Cannot create the sandbox ".*": the limit of \d+ is reached/ },
  // Another connection has reset or dropped the sandbox in the meantime.
  { status: 503, msg: /was reset or dropped during this request/ },
]

/** Fields that errors of the control API have in addition to the usual four. */
const MORE = new Set(['matched', 'nearest', 'problems'])

/** The problem with a response, whatever the request. */
function wrongWith({ status, headers, text }: Reply, method: string, scripted: boolean): string | undefined {
  if (status === 0) return scripted ? undefined : 'the answer is not HTTP'
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
  if (status_code !== status) return `an error whose status_code is ${status_code}`
  // The 404 of an unknown id has no code, unless the vendor documents one.
  const codes = [`ERR_EDGESIM_${status}`, ...(status === 404 ? [undefined] : [])]
  if (!/^ERR_SERVICE_\d+$/.test(String(error_code)) && !codes.includes(error_code as string))
    return `an error whose error_code is ${error_code}`
  if (typeof msg !== 'string' || msg.length === 0) return 'an error without a msg'
  if (typeof details !== 'object' || details === null) return 'an error without details'
  if (Object.values(details).some(value => typeof value !== 'string')) return 'an error with details that are no texts'
  if (status === 405 && !headers.has('allow') && !/CONNECT/.test(msg)) return 'a 405 without Allow'
  if (status < 500 || scripted || EXPECTED.some(each => each.status === status && each.msg.test(msg))) return undefined
  return `a ${status}: ${msg}`
}

/** Answers to bytes that cannot be read: they must come after the answers to the requests before them. */
const UNREADABLE = /Invalid HTTP request|CONNECT is not supported|Only 100-continue is/

/** The problem of what came back for requests on one connection. */
export function wrongResponses(sent: Sent[], { replies, rest, closed }: Heard, scripted: boolean): string | undefined {
  for (const [i, reply] of replies.entries()) {
    const why = wrongWith(reply, sent[i]?.method ?? 'GET', scripted)
    if (why) return why
    if (sent[i]?.clean && UNREADABLE.test(reply.text)) return 'what is not HTTP was answered in the place of this'
  }
  const odd = sent.find(({ clean }) => !clean)
  if (scripted || odd?.end === 'fin' || odd?.end === 'reset') return undefined
  // Bytes that are not HTTP may get two answers: to the part that could be read, and to the rest.
  if (rest.length > 0 && !odd)
    return `bytes that belong to no answer: ${JSON.stringify(rest.toString('latin1', 0, 200))}`
  const told = replies.at(-1)?.headers.get('connection')?.toLowerCase() === 'close'
  return closed && replies.length < sent.length && !told ? 'the connection was closed without an answer' : undefined
}
