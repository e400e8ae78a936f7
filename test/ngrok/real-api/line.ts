import { request, type ServerResponse } from 'node:http'
import { serve } from './fake.ts'

/** How a request fails on its way to the API or back. */
export type Fault =
  | { answer: number; retryAfter?: string }
  | { reset: 'before' | 'after' }
  | { silent: 'before' | 'after' }
  | { cutOff: true }
  | { garbage: true }
  /** Returns a different ID for the record created at a path. */
  | { foreignId: (path: string) => string }

/** A proxy that injects a fault at the nth request. */
export async function lineTo(url: string) {
  const line = {
    url: '',
    count: 0,
    breaks: undefined as { at: number; fault: Fault } | undefined,
    /** Resolves when the fault has happened, after the response if the request was forwarded. */
    broken: Promise.resolve(),
    isBroken: true,
    breakAt(at: number, fault: Fault) {
      line.count = 0
      line.isBroken = false
      line.breaks = { at, fault }
      line.broken = new Promise<void>(resolve => {
        happened = resolve
      })
    },
  }
  let happened = () => {}
  line.url = await serve((req, res) => {
    const fault = ++line.count === line.breaks?.at ? line.breaks.fault : undefined
    const done = () => {
      if (!fault) return
      line.isBroken = true
      happened()
    }
    if (fault && isBefore(fault)) {
      harm(res, fault)
      return done()
    }
    const forwarded = request(new URL(req.url!, url), { method: req.method, headers: req.headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        if (fault && 'foreignId' in fault && response.statusCode === 201)
          res.writeHead(201).end(JSON.stringify({ ...JSON.parse(body.toString()), id: fault.foreignId(req.url!) }))
        else if (fault && !('foreignId' in fault)) harm(res, fault, body)
        else res.writeHead(response.statusCode!, response.headers).end(body)
        done()
      })
    })
    forwarded.on('error', () => res.destroy())
    req.pipe(forwarded)
  })
  return line
}

const isBefore = (fault: Fault) =>
  'answer' in fault ||
  ('reset' in fault && fault.reset === 'before') ||
  ('silent' in fault && fault.silent === 'before')

function harm(res: ServerResponse, fault: Fault, body: Buffer = Buffer.alloc(0)) {
  if ('answer' in fault)
    res.writeHead(fault.answer, fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }).end()
  // A HEAD response has no body to corrupt.
  else if ('reset' in fault || ('garbage' in fault && res.req.method === 'HEAD')) res.socket!.resetAndDestroy()
  else if ('garbage' in fault) res.writeHead(200).end('<html>')
  else if ('cutOff' in fault) {
    res.writeHead(200, { 'content-length': body.length + 10 })
    res.write(body.subarray(0, -3), () => res.destroy())
  }
}
