import { flag, module } from '../../../schema/index.ts'

/** Answers are compressed where the client accepts that. docs/api.md 10.9. */
export const compressionModule = module({
  key: 'compression',
  label: 'compression module',
  of: { https_edge_routes: '10.9' },
  fields: { enabled: flag({ default: true }) },
})
