import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { describeTooLong, findTooLong } from '../../basics/json-lengths.ts'
import { AGENT_MESSAGE } from '../../contract/lengths.ts'
import { errorResponse, readMessage } from './message.ts'

interface Options {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** A longer line closes the transport. */
  maxLineBytes: number
  /** Called when the client sends something invalid. */
  onTrouble(text: string): void
}

/** JSON-RPC, one message per line. The SDK's transport does not respond to invalid messages. */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  /** The incomplete line. */
  #chunks: Buffer[] = []
  #bytes = 0
  #paused = false

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
    this.#write(message)
  }

  #read = (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      if (!this.#buffer(chunk.subarray(from, end))) return
      const line = Buffer.concat(this.#chunks)
      this.#chunks = []
      this.#bytes = 0
      from = end + 1
      this.#receive(line)
    }
    this.#buffer(chunk.subarray(from))
  }

  /** Buffers a part of a line. Closes the transport if the line is too long, because its rest is unreadable. */
  #buffer(part: Buffer): boolean {
    this.#chunks.push(part)
    this.#bytes += part.length
    if (this.#bytes <= this.options.maxLineBytes) return true
    void this.close()
    return false
  }

  #receive(line: Buffer) {
    const tooLong = findTooLong(line, AGENT_MESSAGE)
    if (tooLong) {
      const why = `${describeTooLong(tooLong, 'message')}.`
      this.options.onTrouble(why)
      this.#write(errorResponse(null, ErrorCode.InvalidRequest, why))
      return
    }
    const text = line.toString('utf8')
    if (text.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      const { message } = error as Error
      this.options.onTrouble(`Invalid JSON from the client: ${message}`)
      this.#write(errorResponse(null, ErrorCode.ParseError, `Invalid JSON: ${message}.`))
      return
    }
    const { message, error } = readMessage(value)
    if (!message) this.options.onTrouble('The client sent an invalid JSON-RPC 2.0 message.')
    if (error) this.#write(error)
    if (message) this.onmessage?.(message)
  }

  /** Stops reading from a client that does not read, because waiting responses would fill the memory. */
  #write(value: unknown) {
    const { input, output } = this.options
    if (output.write(`${JSON.stringify(value)}\n`) || this.#paused) return
    this.#paused = true
    input.pause()
    output.once('drain', () => {
      this.#paused = false
      input.resume()
    })
  }
}
