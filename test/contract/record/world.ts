import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Shape } from '../../../src/engine/language/index.ts'
import { authorityPem, certificatePem } from '../../../src/ngrok/certificates/shapes.ts'
import { agentKey, certifiedKey } from '../../../src/ngrok/certificates/ssh/public-key.ts'

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
