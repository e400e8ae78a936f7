import { resolve } from 'node:path'

/** Of the time of all tests, what those of one mutant may take; a few of the tests take most of it. */
const SHARE = Number(process.env.MUTATION_SHARE)

/**
 * Which tests to run for which mutants: the quickest, until the share is used up. What happens while a file is loaded,
 * such as the start of a simulator, counts for each test of that file; for Stryker it would count for all there are.
 */
export function chooseTests(tests, files) {
  const budget = SHARE * tests.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, 0)
  const chosen = Object.fromEntries(tests.map(({ id }) => [id, {}]))
  const spent = {}
  const meetings = findMeetings(tests, files)
  for (const kind of ['running', 'loading']) {
    for (const { test, [kind]: mutants } of meetings) {
      for (const [mutant, hits] of Object.entries(mutants)) {
        if (mutant in chosen[test.id] || spent[mutant] > budget) continue
        spent[mutant] = (spent[mutant] ?? 0) + test.timeSpentMs
        chosen[test.id][mutant] = hits
      }
    }
  }
  return { static: {}, perTest: chosen }
}

/** The mutants a test meets itself, and those that its file met before; quick tests first. */
function findMeetings(tests, files) {
  const fileOf = new Map(files.map(file => [resolve(file.filepath), file]))
  return tests
    .toSorted((a, b) => a.timeSpentMs - b.timeSpentMs)
    .map(test => {
      const { filepath, meta } = fileOf.get(test.fileName)
      const { static: loading = {}, perTest = {} } = meta.mutantCoverage ?? {}
      return { test, running: perTest[`${filepath}#${test.name}`] ?? {}, loading }
    })
}
