import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { type Failure, failure, readMessage } from './message.ts'

/** The versions of the protocol in which a line may hold several messages. */
const WITH_BATCHES = ['2024-10-07', '2024-11-05', '2025-03-26']

/** Messages that came together: their answers go back together. */
interface Batch {
  waiting: RequestId[]
  answers: (JSONRPCMessage | Failure)[]
}

interface Options {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** What a line may have. */
  mostBytes: number
  /** Told what is wrong with what the client sends. */
  onTrouble(text: string): void
}

/** Lines of JSON. The SDK's own has no batches, and no answer to what is no message. */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  /** The line that is coming in. */
  #chunks: Buffer[] = []
  #bytes = 0
  readonly #batches = new Set<Batch>()
  #initialize: RequestId | undefined
  /** What was agreed on. */
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
    const batch = id === undefined ? undefined : this.#takeOut(id)
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

  /** A line that is too long ends the session: nobody knows what its end would be part of. */
  #keep(part: Buffer): boolean {
    this.#chunks.push(part)
    this.#bytes += part.length
    if (this.#bytes <= this.options.mostBytes) return true
    void this.close()
    return false
  }

  #receive(line: string) {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (error) {
      const { message } = error as Error
      this.options.onTrouble(`what the client sent cannot be read: ${message}`)
      this.#write(failure(null, ErrorCode.ParseError, `The line is not JSON: ${message}.`))
      return
    }
    if (Array.isArray(value)) this.#receiveBatch(value)
    else {
      const { message, refusal } = this.#check(value)
      if (refusal) this.#write(refusal)
      if (message) this.#deliver(message)
    }
  }

  #receiveBatch(values: unknown[]) {
    const why = this.#whyNoBatch(values)
    if (why) {
      this.options.onTrouble(NO_MESSAGE)
      this.#write(failure(null, ErrorCode.InvalidRequest, why))
      return
    }
    const batch: Batch = { waiting: [], answers: [] }
    const messages: JSONRPCMessage[] = []
    for (const value of values) {
      const { message, refusal } = this.#check(value)
      if (refusal) batch.answers.push(refusal)
      else if (isInitialize(message)) batch.answers.push(failure(message.id, ErrorCode.InvalidRequest, ALONE))
      else if (message) messages.push(message)
    }
    batch.waiting = messages.flatMap(message => ('method' in message && 'id' in message ? [message.id] : []))
    this.#batches.add(batch)
    for (const message of messages) this.#deliver(message)
    this.#finish(batch)
  }

  #whyNoBatch(values: unknown[]): string | undefined {
    if (this.#version === undefined) return 'The first message must be initialize, and come alone.'
    if (!WITH_BATCHES.includes(this.#version))
      return `The protocol version ${this.#version} takes one message a line, not a list of them.`
    return values.length === 0 ? 'The list of messages is empty.' : undefined
  }

  #check(value: unknown) {
    const read = readMessage(value)
    if (!read.message) this.options.onTrouble(NO_MESSAGE)
    return read
  }

  #deliver(message: JSONRPCMessage) {
    if (isInitialize(message)) this.#initialize = message.id
    this.onmessage?.(message)
    // To what is cancelled no answer comes.
    const { method, params } = message as Partial<JSONRPCNotification>
    const batch = method === 'notifications/cancelled' ? this.#takeOut(params?.requestId as RequestId) : undefined
    if (batch) this.#finish(batch)
  }

  /** The batch that waits for the answer with this id: now it does no longer. */
  #takeOut(id: RequestId): Batch | undefined {
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

const NO_MESSAGE = 'what the client sent is no message of JSON-RPC 2.0'
const ALONE = 'initialize cannot be one of several messages: send it alone.'

const isInitialize = (message: JSONRPCMessage | undefined): message is JSONRPCRequest =>
  message !== undefined && 'method' in message && 'id' in message && message.method === 'initialize'
