import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { type ErrorResponse, errorResponse, readMessage } from './message.ts'

/** Protocol versions in which a line may hold several messages. */
const VERSIONS_WITH_BATCHES = ['2024-10-07', '2024-11-05', '2025-03-26']

/** Messages that came in one line: their answers are sent in one line. */
interface Batch {
  waiting: RequestId[]
  answers: (JSONRPCMessage | ErrorResponse)[]
}

interface Options {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** A longer line closes the transport. */
  maxLineBytes: number
  /** Called when the client sends something invalid. */
  onTrouble(text: string): void
}

/** JSON-RPC, a message a line. The SDK's own transport has no batches and does not answer invalid messages. */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  /** The incomplete line. */
  #chunks: Buffer[] = []
  #bytes = 0
  readonly #batches = new Set<Batch>()
  #initialize: RequestId | undefined
  /** The protocol version of the session, once initialized. */
  #version: string | undefined

  constructor(readonly options: Options) {}

  async start() {
    this.options.input.on('data', this.#read).on('error', this.#fail)
  }

  async close() {
    this.options.input.off('data', this.#read).off('error', this.#fail).pause()
    this.onclose?.()
  }

  #fail = (error: Error) => this.onerror?.(error)

  async send(message: JSONRPCMessage) {
    const id = 'method' in message ? undefined : message.id
    if (id !== undefined && id === this.#initialize && 'result' in message)
      this.#version = String(message.result.protocolVersion)
    const batch = id === undefined ? undefined : this.#stopWaiting(id)
    if (!batch) return this.#write(message)
    batch.answers.push(message)
    this.#finish(batch)
  }

  #read = (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      if (!this.#keep(chunk.subarray(from, end))) return
      const line = Buffer.concat(this.#chunks).toString('utf8')
      this.#chunks = []
      this.#bytes = 0
      from = end + 1
      if (line.trim() !== '') this.#receive(line)
    }
    this.#keep(chunk.subarray(from))
  }

  /** Keeps a part of a line. Closes the transport when the line is too long, since the rest of it cannot be parsed. */
  #keep(part: Buffer): boolean {
    this.#chunks.push(part)
    this.#bytes += part.length
    if (this.#bytes <= this.options.maxLineBytes) return true
    void this.close()
    return false
  }

  #receive(line: string) {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      const { message } = error as Error
      this.options.onTrouble(`the client sent a line that is not JSON: ${message}`)
      this.#write(errorResponse(null, ErrorCode.ParseError, `The line is not JSON: ${message}.`))
      return
    }
    if (Array.isArray(value)) this.#receiveBatch(value)
    else {
      const { message, error } = this.#check(value)
      if (error) this.#write(error)
      if (message) this.#deliver(message)
    }
  }

  #receiveBatch(values: unknown[]) {
    const why = this.#whyNoBatch(values)
    if (why) {
      this.options.onTrouble(NOT_A_MESSAGE)
      this.#write(errorResponse(null, ErrorCode.InvalidRequest, why))
      return
    }
    const batch: Batch = { waiting: [], answers: [] }
    const messages: JSONRPCMessage[] = []
    for (const value of values) {
      const { message, error } = this.#check(value)
      if (error) batch.answers.push(error)
      else if (isInitialize(message)) batch.answers.push(errorResponse(message.id, ErrorCode.InvalidRequest, NOT_ALONE))
      else if (message) messages.push(message)
    }
    batch.waiting = messages.flatMap(message => ('method' in message && 'id' in message ? [message.id] : []))
    this.#batches.add(batch)
    for (const message of messages) this.#deliver(message)
    this.#finish(batch)
  }

  #whyNoBatch(values: unknown[]): string | undefined {
    if (this.#version === undefined) return 'The first message must be initialize, and come alone.'
    if (!VERSIONS_WITH_BATCHES.includes(this.#version))
      return `The protocol version ${this.#version} takes one message a line, not a list of them.`
    return values.length === 0 ? 'The list of messages is empty.' : undefined
  }

  #check(value: unknown) {
    const read = readMessage(value)
    if (!read.message) this.options.onTrouble(NOT_A_MESSAGE)
    return read
  }

  #deliver(message: JSONRPCMessage) {
    if (isInitialize(message)) this.#initialize = message.id
    this.onmessage?.(message)
    // A cancelled request gets no answer.
    const { method, params } = message as Partial<JSONRPCNotification>
    const batch = method === 'notifications/cancelled' ? this.#stopWaiting(params?.requestId as RequestId) : undefined
    if (batch) this.#finish(batch)
  }

  /** Removes an id from the batch that waits for its answer; returns that batch. */
  #stopWaiting(id: RequestId): Batch | undefined {
    for (const batch of this.#batches) {
      const place = batch.waiting.indexOf(id)
      if (place >= 0) batch.waiting.splice(place, 1)
      if (place >= 0) return batch
    }
    return undefined
  }

  #finish(batch: Batch) {
    if (batch.waiting.length > 0 || !this.#batches.delete(batch)) return
    if (batch.answers.length > 0) this.#write(batch.answers)
  }

  #write(value: unknown) {
    this.options.output.write(`${JSON.stringify(value)}\n`)
  }
}

const NOT_A_MESSAGE = 'the client sent something that is not a JSON-RPC 2.0 message'
const NOT_ALONE = 'initialize cannot be one of several messages: send it alone.'

const isInitialize = (message: JSONRPCMessage | undefined): message is JSONRPCRequest =>
  message !== undefined && 'method' in message && 'id' in message && message.method === 'initialize'
