import { extname } from 'node:path'
import type { Report } from '../../contract/report.ts'
import { isTooFew, summaryOf, tooFewCalled } from '../../control/report/wording.ts'
import { SHARED } from '../../engine/files/replace-file.ts'
import { TOO_FEW, UsageError } from './exit-code.ts'
import { checkResultFile, writeResult } from './result-file.ts'

/** Report formats by file extension, loaded on first use. */
const FORMATS: Record<string, () => Promise<(report: Report) => string>> = {
  '.json': async () => report => `${JSON.stringify(report, null, 2)}\n`,
  '.html': async () => (await import('../../control/report/html.ts')).reportAsHtml,
  '.xml': async () => (await import('../../control/report/junit.ts')).reportAsJunit,
}

export function checkReportFile(file: string) {
  if (!Object.hasOwn(FORMATS, extname(file).toLowerCase()))
    throw new UsageError(`--report ${file}: unknown format. The name must end with .json, .html or .xml (JUnit).`)
  checkResultFile('--report', file)
}

/** Writes the reports, and returns the exit code, including `--fail-under`. */
export async function report(
  { reports, failUnder, options }: { reports: string[]; failUnder?: number; options: { operations?: string[] } },
  { exit, report: found }: { exit: number; report: Report },
): Promise<number> {
  const { coverage } = found
  const whole = failUnder === undefined ? found : { ...found, coverage: { ...coverage, required: failUnder } }
  let written = true
  for (const file of reports) {
    const format = await FORMATS[extname(file).toLowerCase()]!()
    const done = writeResult(file, format(whole), SHARED)
    if (done) console.error(`edgesim: Wrote ${file}: ${summaryOf(whole)}.`)
    written &&= done
  }
  const tooFew = isTooFew(whole)
  if (tooFew) console.error(`edgesim: ${tooFewCalled(whole, options.operations !== undefined)}`)
  return exit || (written ? 0 : 1) || (tooFew ? TOO_FEW : 0)
}
