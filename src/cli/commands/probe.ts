import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import { counted, printable } from '../../basics/text.ts'
import type { Probed, Verdict } from '../../contract/evidence.ts'
import { hasCode } from '../../contract/simulator-error.ts'
import { defaultOf, isAssumption } from '../../engine/assumptions.ts'
import { whyUnwritable } from '../../engine/files/file-error.ts'
import { version } from '../../engine/files/package.ts'
import { replaceFile } from '../../engine/files/replace-file.ts'
import { formatTime } from '../../engine/language/time.ts'
import { fileCalls } from '../../engine/store/file-calls.ts'
import { lock } from '../../engine/store/lock.ts'
import type { AssumptionName } from '../../ngrok/assumed.ts'
import { assumptions, ngrokAssumptions } from '../../ngrok/questions.ts'
import { type Account, Connection } from '../../ngrok/real-api/connection.ts'
import { checkAccount, collectionsWrittenBy } from '../../ngrok/real-api/probe/account.ts'
import { cleanUp, type Left } from '../../ngrok/real-api/probe/clean-up.ts'
import type { ProbeMethod } from '../../ngrok/real-api/probe/experiment.ts'
import { ProbeJournal } from '../../ngrok/real-api/probe/journal.ts'
import { planOf } from '../../ngrok/real-api/probe/plan.ts'
import { type Outcome, probe } from '../../ngrok/real-api/probe/run.ts'
import { driftOf, readEvidence, wordsOf } from '../../simulator/options/evidence-file.ts'
import { type AccountOptions, readAccount, readPace } from '../process/account.ts'
import { DRIFTED, UsageError } from '../process/exit-code.ts'
import { untilAborted } from '../process/signals.ts'
import { lastOf } from '../resolve.ts'

/** This command's options, as parsed by yargs. */
export interface ProbeOptions extends AccountOptions {
  words?: string[]
  plan?: string[]
  run?: string[]
  out?: string | string[]
  account?: string | string[]
  pace?: string | string[]
}

const METHODS: ProbeMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']

const print = (line: string) => console.error(line)

/** Checks assumptions against the real API, prints the plan, or deletes the records of a killed run. */
export async function probeCommand(own: ProbeOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { words: [word, file, ...surplus] = [], plan, run } = own
  const pace = readPace(own.pace)
  if (word !== undefined && (word !== 'sweep' || file === undefined || surplus.length > 0 || plan || run))
    throw new UsageError(`Unexpected argument "${word}". Use edgesim probe --plan, --run or sweep JOURNAL.`)
  if (word === 'sweep') return sweep(file!, own, pace, env)
  if (plan && run) throw new UsageError('Use either --plan or --run: --plan only prints the requests that --run sends.')
  const names = chosen(plan ?? run)
  if (!run) {
    for (const line of planOf(names, pace)) console.log(line)
    return 0
  }
  const out = lastOf(own.out)
  const before = readBefore(out, names)
  const account = await readAccount(own, env)
  const service = connect(account, pace)
  await checkAccount(service, collectionsWrittenBy(names), lastOf(own.account))
  return runAll({ account, service, names, out, before })
}

function chosen(names: string[] | undefined): AssumptionName[] {
  if (names === undefined) throw new UsageError('Use --plan to print the requests, or --run to send them.')
  for (const name of names)
    if (!isAssumption(ngrokAssumptions, name))
      throw new UsageError(`Unknown assumption "${name}".${didYouMean(nearest(name, Object.keys(assumptions)))}`)
  return (names.length > 0 ? names : Object.keys(assumptions)) as AssumptionName[]
}

/** The results of an earlier run. They are replaced, so this run must cover all of them. */
function readBefore(out: string | undefined, names: readonly string[]): Probed | undefined {
  if (out === undefined) return undefined
  if (!existsSync(dirname(out))) throw new UsageError(`--out ${out}: no such directory: ${dirname(out)}.`)
  if (!existsSync(out)) return undefined
  let before: Probed
  try {
    before = readEvidence(out)
  } catch (error) {
    throw new UsageError(`--out: ${(error as Error).message} The existing file is unchanged.`)
  }
  const lost = Object.keys(before.verdicts).filter(name => !names.includes(name))
  if (lost.length === 0) return before
  throw new UsageError(
    `--out ${out}: the file has ${counted(lost.length, 'verdict')} that this run would drop, such as ${lost[0]}. Check all assumptions, or use another file.`,
  )
}

const connect = (account: Account, pace: number) =>
  new Connection<ProbeMethod>(account, METHODS, {
    pace,
    onWait: (seconds, why) => print(`edgesim: Waiting ${seconds} s: ${printable(why)}`),
  })

interface Run {
  account: Account
  service: Connection<ProbeMethod>
  names: AssumptionName[]
  out: string | undefined
  before: Probed | undefined
}

async function runAll(run: Run): Promise<number> {
  const { account, out } = run
  const now = formatTime(Date.now())
  const { url, vendor } = account
  const journal = ProbeJournal.begin(id => join(dirname(out ?? '.'), `edgesim-probe-${id}.journal`), {
    url,
    vendor,
    started_at: now,
  })
  return withLock(journal.file, () => runWith(journal, run, now))
}

async function runWith(journal: ProbeJournal, run: Run, now: string): Promise<number> {
  const { service, account, names } = run
  print(`edgesim: Checking ${counted(names.length, 'assumption')} against ${service.host}.`)
  print(`edgesim: Created records are listed in ${journal.file}. If this run is killed: ${sweepWith(journal, account)}`)
  const width = Math.max(...names.map(name => name.length))
  const onVerdict = (name: AssumptionName, verdict: Verdict) =>
    print(`  ${name.padEnd(width)}  ${wordsOf(verdict)}${differs(name, verdict)}`)
  const printLeftovers = () =>
    print(`edgesim: Created records may still exist. Delete them with: ${sweepWith(journal, account)}`)
  const outcome = await untilAborted(signal => {
    signal.addEventListener('abort', () => print('edgesim: Stopping. Deleting created records first.'))
    return probe({ service, journal, signal, onVerdict }, names)
  }, printLeftovers).catch(error => {
    journal.close()
    printLeftovers()
    throw error
  })
  finish(journal, outcome.left, account)
  const found: Probed = {
    probed_at: now,
    host: service.host,
    version,
    verdicts: outcome.verdicts as Probed['verdicts'],
  }
  return report(run, outcome, found)
}

const differs = (name: AssumptionName, verdict: Verdict) =>
  'value' in verdict && verdict.value !== defaultOf(ngrokAssumptions, name)
    ? ` (edgesim assumes ${defaultOf(ngrokAssumptions, name)})`
    : ''

/** Runs `work` while no other process uses the journal: a sweep during a run would delete its records. */
async function withLock(file: string, work: () => Promise<number>): Promise<number> {
  const { release } = await lock(file, fileCalls).catch(error => {
    if (!hasCode(error, 'DATABASE_IN_USE')) throw error
    throw new UsageError(`The run of ${file} is still active. Wait for it to finish and delete its records.`)
  })
  try {
    return await work()
  } finally {
    release()
  }
}

/** Removes the journal if all records are deleted. If not, prints how to delete the rest. */
function finish(journal: ProbeJournal, left: Left[], account: Account) {
  if (left.length === 0) return journal.end()
  journal.close()
  for (const { path, why } of left) print(`edgesim: Not deleted: ${path}: ${why}`)
  print(`edgesim: Try again with: ${sweepWith(journal, account)}`)
}

const sweepWith = ({ file }: ProbeJournal, { url }: Account) => `edgesim probe sweep ${file} --url ${url}`

/** Writes the results and prints the drift. Returns the exit code. */
function report({ out, before }: Run, { stopped, left }: Outcome, found: Probed): number {
  const drift = before ? driftOf(before, found) : []
  if (stopped !== undefined) print(`edgesim: ${stopped}.`)
  // Results of a complete run are worth more than a part of the next one.
  const file = out !== undefined && stopped !== undefined && before ? out.replace(/(\.json)?$/i, '.stopped.json') : out
  const text = `${JSON.stringify(found, null, 2)}\n`
  if (file === undefined) console.log(text.trimEnd())
  else {
    write(file, text)
    print(`edgesim: Wrote the results to ${file}. Use them with --assume ${file}`)
  }
  if (before && drift.length === 0) print(`edgesim: No drift since ${before.probed_at}.`)
  for (const line of drift) print(`edgesim: Drift since ${before!.probed_at}: ${line}`)
  if (left.length > 0) return 1
  return drift.length > 0 ? DRIFTED : stopped === undefined ? 0 : 1
}

function write(file: string, text: string) {
  try {
    replaceFile(file, text)
  } catch (error) {
    console.log(text.trimEnd())
    throw new UsageError(`Cannot write ${file}: ${whyUnwritable(error, file)}. Printed the results instead.`)
  }
}

/** Sends the key only to the URL from the user, never to the URL in the file. */
async function sweep(file: string, own: ProbeOptions, pace: number, env: NodeJS.ProcessEnv): Promise<number> {
  // Before locking: no lock is written next to a file that is not a journal.
  ProbeJournal.open(file).close()
  return withLock(file, () => sweepLocked(file, own, pace, env))
}

async function sweepLocked(file: string, own: ProbeOptions, pace: number, env: NodeJS.ProcessEnv): Promise<number> {
  const journal = ProbeJournal.open(file)
  const { url, vendor } = journal.head
  const account = await readAccount({ vendor, ...own }, env)
  if (account.url !== url)
    throw new UsageError(`${file} belongs to a run against ${url}, not ${account.url}. Set --url ${url}`)
  const count = journal.left().length
  const left = await cleanUp(connect(account, pace), journal, { atEnd: true })
  finish(journal, left, account)
  print(`edgesim: Deleted ${count - left.length} of ${counted(count, 'record')} that the run may have created.`)
  return left.length === 0 ? 0 : 1
}
