import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { authorityPem, certificatePem } from '../../../src/certificates/shapes.ts'
import { agentKey, certifiedKey } from '../../../src/certificates/ssh/public-key.ts'
import type { Shape } from '../../../src/schema/index.ts'

export const exampleOf = ({ json }: Shape) => (json.examples as string[])[0]!

const TEXTS: Record<string, string> = {
  '<certificate>': exampleOf(certificatePem),
  '<authority>': exampleOf(authorityPem),
  '<certified key>': exampleOf(certifiedKey),
  '<agent key>': exampleOf(agentKey),
}

/** Described in world.yaml. */
export const world = parse(
  readFileSync(new URL('world.yaml', import.meta.url), 'utf8'),
  (_, value) => TEXTS[value as string] ?? value,
)
for (let i = 0; i < 101; i++) world.backends.push({ id: `bkdsc_${i}`, address: '127.0.0.1:3000' })

/** The sandbox clock is frozen at this time. */
export const NOW = '2026-01-03T12:00:00Z'
