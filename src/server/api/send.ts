import type { IncomingMessage, ServerResponse } from 'node:http'
import { INSTANCE_HEADER, OPERATION_HEADER } from '../../contract/names.ts'
import type { Failure, Reply } from '../../engine/api.ts'
import type { Outcome } from '../../engine/rules.ts'
import type { Call } from '../../engine/sandbox/index.ts'
import { endReply } from '../http/bodies.ts'
import { endEarly, FaultyDelivery } from '../http/delivery.ts'

/** The request of an outcome. */
export interface ReplyTarget {
  call: Call
  req: IncomingMessage
  res: ServerResponse
  context: {
    instance: string
    /** The API's name for the operation id header. */
    operationHeader: string | undefined
    date: DateHeader
  }
  /** Headers that rules add to any response. */
  headers: Record<string, string> | undefined
}

/** The response, as the journal records it. */
export interface Sent {
  status: number
  headers: Record<string, string | number>
  body?: Record<string, unknown>
  /** The body as pieces of JSON, if the reply has it. */
  text?: readonly string[]
  failure?: Failure
}

/** The Date header, formatted once per second. */
export class DateHeader {
  #second = -1
  #text = ''

  at(now: number): string {
    const second = Math.floor(now / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#text = new Date(second * 1000).toUTCString()
    }
    return this.#text
  }
}

/** Sends a whole response. Returns null if the client has disconnected. */
export function sendReply(target: ReplyTarget, reply: Reply): Sent | null {
  const { text, headers, received } = format(target, reply)
  target.res.writeHead(reply.status, headers)
  // A string is sent in one packet with the head.
  endReply(target.res, text)
  return received
}

/** Sends the response through a fault, or ends the connection. Returns null if the client gets no response. */
export async function sendUnderFault(target: ReplyTarget, outcome: Outcome): Promise<Sent | null> {
  const { call, res } = target
  const { socket } = target.req
  const { signal } = call.lifetime
  if (outcome.kind === 'ending') {
    await endEarly(socket, signal, outcome, () => call.failIfReset())
    return null
  }
  const { status } = outcome.reply
  const { text, headers, received } = format(target, outcome.reply)
  const bytes = Buffer.from(text)
  const head = { status, write: () => res.writeHead(status, headers) }
  await outcome.deliver!(new FaultyDelivery(text ? [bytes] : [], bytes.length, res, socket, signal, head))
  return res.headersSent ? received : null
}

/** The text of a reply, its headers, and its record for the journal (null if the client has disconnected). */
function format({ call, req, context, headers: added }: ReplyTarget, reply: Reply) {
  const { status, body, failure } = reply
  const text = reply.text?.join('') ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
  const own: Record<string, string | number> = text
    ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
    : {}
  own[OPERATION_HEADER] = call.id
  if (context.operationHeader) own[context.operationHeader] = call.id
  own[INSTANCE_HEADER] = context.instance
  own.Date = context.date.at(call.sandbox.clock.now())
  const headers = added || reply.headers ? { ...added, ...reply.headers, ...own } : own
  const sent: Sent = { status, headers, body, text: body ? undefined : reply.text, failure }
  return { text, headers, received: req.socket.destroyed ? null : sent }
}
