import { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'

/**
 * Express sets the prototype of every request and response, which is most of what it costs. Messages whose prototype
 * is the right one from the start cost nothing: setting it again changes nothing.
 */
export function messageClasses(app: express.Express): {
  Request: typeof IncomingMessage
  Response: typeof ServerResponse
} {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse<Request> {}
  Object.defineProperties(Request.prototype, Object.getOwnPropertyDescriptors(express.request))
  Object.defineProperties(Response.prototype, Object.getOwnPropertyDescriptors(express.response))
  app.request = Object.defineProperty(Request.prototype, 'app', { value: app }) as unknown as typeof app.request
  app.response = Object.defineProperty(Response.prototype, 'app', { value: app }) as unknown as typeof app.response
  return { Request, Response: Response as typeof ServerResponse }
}
