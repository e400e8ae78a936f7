import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { INSTANCE_HEADER } from '../contract/names.ts'
import { endAnswer } from '../http/bodies.ts'
import { reset, wait } from '../http/sockets.ts'
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

type Answer = Extract<Outcome, { kind: 'answer' }>

/** Sends an outcome; nothing else writes to the client. Returns null when the client gets no answer. */
export async function send(wire: Wire, outcome: Outcome): Promise<Sent | null> {
  if (outcome.kind === 'answer') return sendAnswer(wire, outcome)
  const { socket } = wire
  if (outcome.kind === 'bytes') socket.write(outcome.bytes)
  else if (outcome.reset) {
    reset(socket)
    return null
  }
  // This still sends what was written before.
  socket.destroySoon()
  return null
}

async function sendAnswer(wire: Wire, answer: Answer): Promise<Sent | null> {
  const { socket, res } = wire
  const { reply, instead, cutAfter, bytesPerSecond } = answer
  const { text, headers } = format(wire, reply, instead)
  const { status, body } = reply
  const sent = instead
    ? { status, headers, body: showUnreadable(instead) }
    : { status, headers, body, text: reply.text }
  // A client that has disconnected gets no answer.
  const received = socket.destroyed ? null : sent
  if (cutAfter !== undefined) return cutOff(wire, sent, text, cutAfter) ? received : null
  res.writeHead(status, headers)
  if (bytesPerSecond !== undefined) await sendSlowly(wire, Buffer.from(text), bytesPerSecond)
  // A string is sent in one packet with the head.
  else endAnswer(res, text)
  return received
}

/** The text of a reply, and its headers. */
function format({ call, instance, date, headers: added }: Wire, reply: Reply, instead: Buffer | undefined) {
  const text = instead?.toString() ?? reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
  const own: Record<string, string | number> = text
    ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
    : {}
  own['Edgesim-Operation-Id'] = call.id
  own[INSTANCE_HEADER] = instance
  own.Date = date.at(call.sandbox.clock.now())
  return { text, headers: added || reply.headers ? { ...added, ...reply.headers, ...own } : own }
}

const showUnreadable = (bytes: Buffer) => ({ unreadable: bytes.toString('latin1', 0, 200) })

/** Sends less than Content-Length says. False when there was no body to cut, and so no answer. */
function cutOff({ socket, res }: Wire, { status, headers }: Sent, text: string, after: number | 'half'): boolean {
  const body = Buffer.from(text)
  const { length } = body
  if (length === 0) {
    socket.write(`HTTP/1.1 ${status} `)
  } else {
    res.writeHead(status, headers)
    res.flushHeaders()
    res.write(body.subarray(0, Math.min(after === 'half' ? Math.floor(length / 2) : after, length - 1)))
  }
  socket.destroySoon()
  return length > 0
}

const MIN_STEP_MS = 50

async function sendSlowly({ call, socket, res }: Wire, body: Buffer, bytesPerSecond: number) {
  const stepMs = Math.max(MIN_STEP_MS, 1000 / bytesPerSecond)
  const step = Math.max(1, Math.floor((bytesPerSecond * stepMs) / 1000))
  const isOver = () => socket.destroyed || call.lifetime.ended
  res.flushHeaders()
  for (let at = 0; at < body.length && !isOver(); at += step) {
    res.write(body.subarray(at, at + step))
    await wait(stepMs, socket, call.lifetime)
  }
  if (isOver()) socket.destroySoon()
  else res.end()
}
