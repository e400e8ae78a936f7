import { resolve } from 'node:path'

/** Share of the total test time for one mutant. A few tests take most of the time. */
const SHARE = Number(process.env.MUTATION_SHARE)

/**
 * Selects the fastest tests of each mutant, up to the share. Code that runs while a file loads counts for each test of
 * that file. Stryker would count it for all tests.
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

/** The mutants that a test and the load of its file cover, fastest tests first. */
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
