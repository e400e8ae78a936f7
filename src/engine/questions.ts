import { defineQuestions } from './question.ts'

/** What the engine asks about any API. An API that lists a question as an assumption lets users change it. */
export const questions = defineQuestions({
  unknown_field: { values: ['reject', 'ignore'] },
  unknown_query: { values: ['ignore', 'reject'] },
  unknown_reference: { values: ['reject', 'accept'] },
  absent_module: { values: ['not_found', 'defaults'] },
  delete_absent_module: { values: ['succeed', 'not_found'] },
  other_owners_keys: { values: ['allow', 'forbid'] },
  page_order: { values: ['newest_first', 'oldest_first'] },
  not_found_code: { values: ['none', 'ours'] },
  unset_text: { values: ['omit', 'empty'] },
  empty_update: { values: ['documented', 'accept'] },
  empty_text_on_update: { values: ['keep', 'reject'] },
  delete_referenced: { values: ['documented', 'reject', 'detach'] },
})
