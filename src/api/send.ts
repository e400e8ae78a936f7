import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { INSTANCE_HEADER, OPERATION_HEADER } from '../contract/names.ts'
import { endAnswer } from '../http/bodies.ts'
import { endEarly, FaultyDelivery } from '../http/delivery.ts'
import type { Reply } from '../operations/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Outcome } from '../scenarios/fault.ts'

/** The connection that an outcome is sent on. */
export interface Wire {
  call: Call
  socket: Socket
  res: ServerResponse
  instance: string
  /** The vendor's name for the header with the operation id. */
  operationHeader: string
  date: DateHeader
  /** Headers that rules add to any answer. */
  headers: Record<string, string> | undefined
}

/** The answer that was sent, as the journal records it. */
export interface Sent {
  status: number
  headers: Record<string, string | number>
  body?: Record<string, unknown>
  /** The body as JSON, where the reply had it. */
  text?: string
}

/** The Date header, formatted once a second and not once a request. */
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

/** Sends a whole answer. Returns null when the client has disconnected. */
export function sendReply(wire: Wire, reply: Reply): Sent | null {
  const { text, headers, received } = format(wire, reply)
  wire.res.writeHead(reply.status, headers)
  // A string is sent in one packet with the head.
  endAnswer(wire.res, text)
  return received
}

/** Lets a fault send the answer, or ends the connection. Returns null when the client gets no answer. */
export async function sendUnderFault(wire: Wire, outcome: Outcome): Promise<Sent | null> {
  const { call, socket, res } = wire
  const { lifetime } = call
  if (outcome.kind === 'ending') {
    await endEarly(socket, lifetime, outcome, () => call.failIfReset())
    return null
  }
  const { status } = outcome.answer
  const { text, headers, received } = format(wire, outcome.answer)
  const bytes = Buffer.from(text)
  const head = { status, write: () => res.writeHead(status, headers) }
  await outcome.deliver!(new FaultyDelivery(text ? [bytes] : [], bytes.length, res, socket, lifetime, head))
  return res.headersSent ? received : null
}

/** The text of a reply, its headers, and what the journal records of it if the client is still there. */
function format({ call, socket, instance, operationHeader, date, headers: added }: Wire, reply: Reply) {
  const { status, body } = reply
  const text = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
  const own: Record<string, string | number> = text
    ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
    : {}
  own[OPERATION_HEADER] = call.id
  own[operationHeader] = call.id
  own[INSTANCE_HEADER] = instance
  own.Date = date.at(call.sandbox.clock.now())
  const headers = added || reply.headers ? { ...added, ...reply.headers, ...own } : own
  const sent: Sent = { status, headers, body, text: body ? undefined : reply.text }
  return { text, headers, received: socket.destroyed ? null : sent }
}
