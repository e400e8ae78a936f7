import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ClientRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../basics/json.ts'
import { formatPath, type Path } from '../basics/problem.ts'

interface Options {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** A longer line closes the transport. */
  maxLineBytes: number
  /** Called when the client sends something invalid. */
  onTrouble(text: string): void
}

/** JSON-RPC, a message a line. The SDK's own transport does not answer invalid messages. */
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

  async send(message: JSONRPCMessage) {
    this.options.output.write(`${JSON.stringify(message)}\n`)
  }

  #fail = (error: Error) => this.onerror?.(error)

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
      return this.#sendError(null, ErrorCode.ParseError, `The line is not JSON: ${message}.`)
    }
    const { success, data: message } = JSONRPCMessageSchema.safeParse(value)
    const { id, params: _params, ...rest } = (isObject(value) ? value : {}) as Record<string, unknown>
    const hasId = typeof id === 'string' || typeof id === 'number'
    const why = success && hasId ? whyWrongParams(value as { method?: string }) : undefined
    if (success && why === undefined) return this.onmessage?.(message)
    this.options.onTrouble('the client sent something that is not a JSON-RPC 2.0 message')
    if (success) return this.#sendError(id as RequestId, ErrorCode.InvalidParams, why!)
    // An invalid response or notification gets no answer.
    if (!('method' in rest) && ('result' in rest || 'error' in rest)) return
    const isCall = JSONRPCNotificationSchema.safeParse(rest).success
    if (isCall && id === undefined) return
    if (isCall && hasId) return this.#sendError(id, ErrorCode.InvalidParams, 'params must be an object.')
    this.#sendError(hasId ? id : null, ErrorCode.InvalidRequest, NOT_A_REQUEST)
  }

  #sendError(id: RequestId | null, code: ErrorCode, message: string) {
    this.options.output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  }
}

const NOT_A_REQUEST =
  'This is not a JSON-RPC 2.0 request: it needs "jsonrpc": "2.0", an id and a method, and nothing else but params. A line has one message.'

const schemas = new Map(ClientRequestSchema.options.map(schema => [String(schema.shape.method.value), schema]))

/** The SDK would answer wrong parameters as an internal error, so they are checked here. */
function whyWrongParams(request: { method?: string }): string | undefined {
  const [issue] = schemas.get(request.method ?? '')?.safeParse(request).error?.issues ?? []
  return issue && `${formatPath(issue.path as Path)}: ${issue.message}`
}
