import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './installed.js'

/** The failed tests in a JSON report of vitest, and why. */
export function failuresIn(results) {
  const { testResults } = JSON.parse(readFileSync(results, 'utf8'))
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(each => each.status === 'failed')
    const file = relative(root, name)
    // A file without a failed test fails when it cannot be loaded or does not clean up.
    if (failed.length === 0) return status === 'failed' ? [{ test: file, why: message }] : []
    return failed.map(({ fullName, failureMessages }) => ({ test: `${file} > ${fullName}`, why: failureMessages[0] }))
  })
}
