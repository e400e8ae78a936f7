import type { End } from '../../../support/raw-http.ts'
import type { Draft } from './requests.ts'
import { edited, toJson } from './values.ts'
import type { World } from './world.ts'

export interface Message {
  area: 'api' | 'db' | 'control' | 'nowhere' | 'framing' | 'garbage'
  method: string
  target: string
  http: string
  lines: string[]
  body: string | undefined
  /** Header lines that declare the body length, instead of the usual one. */
  lengths?: string[]
  instead?: string
  end: End
  /** Other requests may follow on the same connection. */
  clean: boolean
}

export interface Sent extends Message {
  bytes: Buffer
}

/** Node's parser accepts only these targets, and up to 16 KB of headers. */
const isClean = (target: string) =>
  /^(\/|\*$|https?:\/\/[\w.:[\]-]+(\/|$))/i.test(target) && !/[^!-~]/.test(target) && target.length <= 15_000

export function toWire({ area, method, body, ...draft }: Draft, world: World, port: number): Sent {
  const target = Buffer.from(world.fill(draft.target)).toString('latin1')
  const json = body && toJson(body.edits.reduce(edited, world.fillAll(body.value)))
  const lines = [
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${world.fill('~~token.0~~')}`,
    'Service-Version: 2',
    ...(body ? ['Content-Type: application/json'] : []),
  ]
  const good: Message = {
    ...{ area, method, target, http: '1.1', lines, end: 'answer', clean: isClean(target) },
    body: body?.spoil(Buffer.from(json!).toString('latin1')),
  }
  const message = { ...good, ...draft.oddity(good) }
  const content = message.body ?? ''
  const usual = body || ['POST', 'PUT', 'PATCH'].includes(method) ? [`Content-Length: ${content.length}`] : []
  const head = [`${method} ${target} HTTP/${message.http}`, ...message.lines, ...(message.lengths ?? usual), '', '']
  return { ...message, bytes: Buffer.from(message.instead ?? head.join('\r\n') + content, 'latin1') }
}
