import { collection, text, textShape, texts, value } from '../../schema/index.ts'

/** Provisional, for bound endpoints only. */
export const endpoints = collection({
  name: 'endpoint',
  table: 'endpoints',
  label: 'endpoint',
  path: '/endpoints',
  prefix: 'ep',
  section: '10.10',
  listAs: 'endpoints',
  neighbour: true,
  fields: {
    metadata: text({ maxBytes: 4096 }),
    url: value(textShape()),
    bindings: texts(),
  },
  indexes: ['bindings'],
})
