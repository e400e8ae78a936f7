import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { errorResponse, readMessage } from './message.ts'

interface Options {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** A longer line closes the transport. */
  maxLineBytes: number
  /** Called when the client sends something invalid. */
  onTrouble(text: string): void
}

/** JSON-RPC, a message a line. The SDK's own transport does not respond to invalid messages. */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  /** The incomplete line. */
  #chunks: Buffer[] = []
  #bytes = 0

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
    const { message, error } = readMessage(value)
    if (!message) this.options.onTrouble('the client sent something that is not a JSON-RPC 2.0 message')
    if (error) this.#write(error)
    if (message) this.onmessage?.(message)
  }

  #write(value: unknown) {
    this.options.output.write(`${JSON.stringify(value)}\n`)
  }
}
