import { defineApi } from '../../src/engine/define-api.ts'
import { choice, collection, numberIds, reference, text, textShape, value } from '../../src/engine/language/index.ts'

const projects = collection({
  name: 'project',
  table: 'projects',
  label: 'project',
  path: '/projects',
  prefix: '',
  section: '',
  listAs: 'items',
  withoutUri: true,
  fields: { name: value(textShape({ minLength: 1 }), { required: 'invalid_value' }) },
})

const tasks = collection({
  name: 'task',
  table: 'tasks',
  label: 'task',
  path: '/tasks',
  prefix: '',
  section: '',
  listAs: 'items',
  withoutUri: true,
  picks: { project_id: 'project_id' },
  fields: {
    project_id: reference(['projects'], { missing: 'bad_reference', required: 'invalid_value', whenDeleted: 'delete' }),
    title: text(200),
    state: choice(['open', 'done'], { error: 'invalid_value', default: 'open' }),
  },
})

/** Two resources, numbers as ids, no authentication, pages by offset, and errors like `{ "error": { … } }`. */
export const tiny = defineApi({
  name: 'tiny',
  families: { Work: [projects, tasks] },
  ids: numberIds,
  errorReply: ({ row, message, headers }) => ({
    status: row.status,
    body: { error: { type: row.status < 500 ? 'client' : 'server', text: message } },
    headers,
  }),
})
