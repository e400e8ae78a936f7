import { pipeline, type Readable } from 'node:stream'
import { constants, createDeflate, createGzip } from 'node:zlib'

/** The codings that the vendor documents. */
const CODERS = { gzip: createGzip, deflate: createDeflate }
export type Coding = keyof typeof CODERS

/**
 * RFC 9110, 12.5.3: the coding with the highest weight, the first of equals. Undefined if the client accepts none, or
 * prefers an uncompressed response.
 */
export function codingFor(accepted: string | undefined): Coding | undefined {
  const weights = weightsIn(accepted ?? '')
  const others = weights.get('*')
  let best: Coding | undefined
  let most = Math.max(weights.get('identity') ?? 0, Number.MIN_VALUE)
  const named = [...weights.keys()].filter(name => Object.hasOwn(CODERS, name)) as Coding[]
  for (const coding of new Set([...named, ...(Object.keys(CODERS) as Coding[])])) {
    const weight = weights.get(coding) ?? others ?? 0
    if (best ? weight <= most : weight < most) continue
    best = coding
    most = weight
  }
  return best
}

/** Skips malformed entries. */
function weightsIn(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const each of accepted.split(',')) {
    const [, name, weight = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(each) ?? []
    if (name !== undefined && Number(weight) <= 1) weights.set(name.toLowerCase().replace(/^x-/, ''), Number(weight))
  }
  return weights
}

/** Flushes every chunk, so streamed events arrive immediately. If the body fails, so does the returned stream. */
export function compressed(body: Readable, coding: Coding): Readable {
  const coder = CODERS[coding]({ flush: constants.Z_SYNC_FLUSH })
  // The body may fail before the returned stream is read.
  coder.on('error', () => {})
  return pipeline(body, coder, () => {})
}
