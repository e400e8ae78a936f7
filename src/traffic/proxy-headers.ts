import type { IncomingMessage } from 'node:http'
import { HOP_BY_HOP } from '../schema/index.ts'
import type { RawHeaders } from './header-rules.ts'

/**
 * What the proxy forwards. Node has a request's headers in lower case and folded; here names are as they were spelled,
 * with lists where one was repeated.
 */
export function headersFor(req: IncomingMessage, headers: RawHeaders): Record<string, string | string[]> {
  const { connection, upgrade, 'transfer-encoding': coding } = req.headers
  const own = connection === undefined || PLAIN.test(connection) ? undefined : tokensOf(connection)
  // A header may be called what every object has.
  const kept: Record<string, string | string[]> = Object.create(null)
  const spelled: Record<string, string> = Object.create(null)
  for (let i = 0; i < headers.length; i += 2) {
    const [name, value] = [headers[i]!, headers[i + 1]!]
    const lower = name.toLowerCase()
    if (HOP_BY_HOP.has(lower) || own?.has(lower)) continue
    const before = spelled[lower]
    if (before === undefined) {
      spelled[lower] = name
      kept[name] = value
    } else kept[before] = [kept[before]!, value].flat()
  }
  if (coding) kept['transfer-encoding'] = 'chunked'
  if (upgrade) Object.assign(kept, { connection: 'Upgrade', upgrade })
  // Where it sees no length the proxy would add one; a request without a body needs none.
  if (kept['content-length'] === undefined) Object.defineProperty(kept, 'content-length', LENGTH)
  return kept
}

const PLAIN = /^(keep-alive|close)$/i
const LENGTH = { value: 'as it is', enumerable: false }

/** Names that the client means for its own connection alone. */
const tokensOf = (connection: string) => new Set(connection.split(',').map(token => token.trim().toLowerCase()))

/** Headers of an answer, but for those of its connection: the edge has its own. */
export function endToEnd(raw: RawHeaders): string[] {
  const kept: string[] = []
  for (let i = 0; i < raw.length; i += 2) if (!HOP_BY_HOP.has(raw[i]!.toLowerCase())) kept.push(raw[i]!, raw[i + 1]!)
  return kept
}
