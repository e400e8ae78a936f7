import { join } from 'node:path'
import type { Probed } from '../../src/contract/evidence.ts'
import { folderWith } from './afterwards.ts'

/** Example results of edgesim probe. */
export const evidenceWith = (verdicts: Probed['verdicts'], more: object = {}) => ({
  probed_at: '2026-11-17T06:00:00Z',
  host: 'api.ngrok.com',
  version: '0.1.0',
  verdicts,
  ...more,
})

export const evidenceFile = (verdicts: Probed['verdicts'], more: object = {}) =>
  join(folderWith({ 'evidence.json': evidenceWith(verdicts, more) }), 'evidence.json')
