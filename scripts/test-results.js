import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './installed.js'

/** The failed tests in a vitest JSON report, with reasons. */
export function failuresIn(results) {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'))
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(each => each.status === 'failed')
    const file = relative(root, name)
    // A file without failed tests fails if it does not load or clean up.
    if (failed.length === 0) return status === 'failed' ? [{ test: file, why: message }] : []
    return failed.map(({ fullName, failureMessages }) => ({ test: `${file} > ${fullName}`, why: failureMessages[0] }))
  })
}
