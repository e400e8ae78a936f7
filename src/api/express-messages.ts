import { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import type { Exchange } from './exchange.ts'

/** A request to the API, and the exchange it belongs to. */
export interface ApiRequest extends IncomingMessage {
  exchange: Exchange | undefined
}

/**
 * Express sets the prototype of every request and response, which is most of what it costs. Messages whose prototype
 * is the right one from the start cost nothing: setting it again changes nothing.
 */
export function expressMessages(app: express.Express): {
  Request: typeof IncomingMessage
  Response: typeof ServerResponse
} {
  class Request extends IncomingMessage implements ApiRequest {
    exchange: Exchange | undefined = undefined
  }
  class Response extends ServerResponse<Request> {}
  Object.defineProperties(Request.prototype, Object.getOwnPropertyDescriptors(express.request))
  Object.defineProperties(Response.prototype, Object.getOwnPropertyDescriptors(express.response))
  app.request = Object.defineProperty(Request.prototype, 'app', { value: app }) as unknown as typeof app.request
  app.response = Object.defineProperty(Response.prototype, 'app', { value: app }) as unknown as typeof app.response
  return { Request, Response: Response as typeof ServerResponse }
}
