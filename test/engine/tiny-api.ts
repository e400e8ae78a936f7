import { defineApi } from '../../src/engine/define-api.ts'
import { errors } from '../../src/engine/errors.ts'
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
  fields: { name: value(textShape({ minLength: 1 }), { required: errors.invalid_value }) },
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
    project_id: reference(['projects'], {
      missing: errors.bad_reference,
      required: errors.invalid_value,
      whenDeleted: 'delete',
    }),
    title: text(200),
    state: choice(['open', 'done'], { error: errors.invalid_value, default: 'open' }),
  },
})

/** Two resources, numbers as ids, no authentication, pages by offset, and errors like `{ "error": { … } }`. */
export const tiny = defineApi({
  name: 'tiny',
  families: { Work: [projects, tasks] },
  ids: numberIds,
  errorReply: ({ kind: { status }, message, headers }) => ({
    status,
    body: { error: { type: status < 500 ? 'client' : 'server', text: message } },
    headers,
  }),
})
