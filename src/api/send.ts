import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { INSTANCE_HEADER } from '../contract/names.ts'
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

/** Sends an outcome; nothing else writes to the client. Returns null when the client gets no answer. */
export async function send(wire: Wire, outcome: Outcome): Promise<Sent | null> {
  const { call, socket, res } = wire
  const { lifetime } = call
  if (outcome.kind === 'ending') {
    await endEarly(socket, lifetime, outcome, () => call.failIfReset())
    return null
  }
  const { answer, deliver } = outcome
  const { status, body } = answer
  const { text, headers } = format(wire, answer)
  // A client that has disconnected gets no answer.
  const received = socket.destroyed ? null : { status, headers, body, text: body ? undefined : answer.text }
  if (deliver) {
    const bytes = Buffer.from(text)
    const head = { status, write: () => res.writeHead(status, headers) }
    await deliver(new FaultyDelivery(text ? [bytes] : [], bytes.length, res, socket, lifetime, head))
    return res.headersSent ? received : null
  }
  res.writeHead(status, headers)
  // A string is sent in one packet with the head.
  endAnswer(res, text)
  return received
}

/** The text of a reply, and its headers. */
function format({ call, instance, date, headers: added }: Wire, reply: Reply) {
  const text = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
  const own: Record<string, string | number> = text
    ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
    : {}
  own['Edgesim-Operation-Id'] = call.id
  own[INSTANCE_HEADER] = instance
  own.Date = date.at(call.sandbox.clock.now())
  return { text, headers: added || reply.headers ? { ...added, ...reply.headers, ...own } : own }
}
