import { existsSync } from 'node:fs'
import { counted, printable } from '../../basics/text.ts'
import { DEFAULT_VENDOR } from '../../contract/names.ts'
import { distribution } from '../../engine/files/package.ts'
import { type ImportOptions, importAccount, progressOf } from '../../ngrok/real-api/import/import-account.ts'
import type { Watching } from '../../ngrok/real-api/import/read-collections.ts'
import { checkOut } from '../../ngrok/real-api/import/write-fixture.ts'
import { type AccountOptions, readAccount, readPace } from '../process/account.ts'
import { UsageError } from '../process/exit-code.ts'
import { untilAborted } from '../process/signals.ts'
import { lastOf } from '../resolve.ts'

/** This command's options, as parsed by yargs. */
export interface ImportArguments extends AccountOptions {
  out?: string | string[]
  pace?: string | string[]
  keepTexts?: boolean
  anonymise?: boolean
  force?: boolean
}

/** Writes a fixture of an account, and reports progress on stderr. */
export async function importFixture(args: ImportArguments, env: NodeJS.ProcessEnv): Promise<number> {
  const options = readOptions(args)
  const account = await readAccount(args, env)
  const line = progressLine(process.stderr)
  const { path } = progressOf(account, options)
  try {
    const { requests, lines } = await untilAborted(signal =>
      importAccount(account, options, {
        signal,
        onPage: line.onPage,
        onWait: (seconds, why) => line.show(`Waiting ${seconds} s: ${printable(why)}`),
      }),
    )
    line.end()
    for (const each of lines) console.error(each)
    const vendor = account.vendor === DEFAULT_VENDOR ? '' : ` --vendor ${account.vendor}`
    console.log(
      `Wrote ${options.out} after ${counted(requests, 'request')}. Serve it with: ${distribution.command} ${options.out}${vendor}`,
    )
    return 0
  } catch (error) {
    line.end()
    if (existsSync(path)) console.error(`Progress is saved in ${path}. Run the same command again to resume.`)
    if (existsSync(path) && options.anonymise) console.error('The progress file is not anonymised.')
    if ((error as Error)?.name !== 'AbortError') throw error
    console.error('edgesim: Interrupted.')
    return 1
  }
}

function readOptions({ out, pace, keepTexts, anonymise, force }: ImportArguments): ImportOptions {
  const file = lastOf(out)
  if (!file) throw new UsageError('No file to write. Use edgesim import --out FILE')
  // Before prompting for the key.
  checkOut(file, force)
  return { out: file, pace: readPace(pace), keepTexts, anonymise, force }
}

/** On a terminal, one line that is updated; elsewhere, one line per collection. */
function progressLine(output: NodeJS.WriteStream) {
  let open = false
  const show = (text: string) => {
    if (!output.isTTY) return console.error(text)
    output.write(`\r\x1b[K${text}`)
    open = true
  }
  const onPage: Watching['onPage'] = ({ table }, { records, next, skipped }, { at, of }) => {
    if (output.isTTY || next === null) show(`${at} of ${of}: ${table} ${skipped ?? records.length}`)
  }
  return {
    onPage,
    show,
    end() {
      if (open) output.write('\n')
      open = false
    },
  }
}
