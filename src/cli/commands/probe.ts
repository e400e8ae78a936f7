import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import { counted, printable } from '../../basics/text.ts'
import { type AssumptionName, assumptions, defaultOf, isAssumption } from '../../contract/assumptions.ts'
import type { Probed, Verdict } from '../../contract/evidence.ts'
import { hasCode } from '../../contract/simulator-error.ts'
import { whyUnwritable } from '../../files/file-error.ts'
import { version } from '../../files/package.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { driftOf, readEvidence, wordsOf } from '../../options/evidence-file.ts'
import { type Account, Connection } from '../../remote/connection.ts'
import { checkAccount, touchedBy } from '../../remote/probe/account.ts'
import { cleanUp, type Left } from '../../remote/probe/clean-up.ts'
import type { ProbeMethod } from '../../remote/probe/experiment.ts'
import { ProbeJournal } from '../../remote/probe/journal.ts'
import { planOf } from '../../remote/probe/plan.ts'
import { type Outcome, probe } from '../../remote/probe/run.ts'
import { formatTime } from '../../schema/time.ts'
import { fileCalls } from '../../store/file-calls.ts'
import { lock } from '../../store/lock.ts'
import { type AccountOptions, readAccount, readPace } from '../process/account.ts'
import { DRIFTED, UsageError } from '../process/exit-code.ts'
import { untilAborted } from '../process/signals.ts'
import { lastOf } from '../resolve.ts'

/** The command's own options, as yargs gives them. */
export interface ProbeOptions extends AccountOptions {
  words?: string[]
  plan?: string[]
  run?: string[]
  out?: string | string[]
  account?: string | string[]
  pace?: string | string[]
}

const METHODS: ProbeMethod[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']

const say = (line: string) => console.error(line)

/** Asks the real service which assumptions hold, says what would be asked, or deletes what a run has left. */
export async function probeCommand(own: ProbeOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const { words: [word, file, ...surplus] = [], plan, run } = own
  const pace = readPace(own.pace)
  if (word !== undefined && (word !== 'sweep' || file === undefined || surplus.length > 0 || plan || run))
    throw new UsageError(`"${word}" is not understood. Write edgesim probe --plan, --run, or sweep JOURNAL.`)
  if (word === 'sweep') return sweep(file!, own, pace, env)
  if (plan && run)
    throw new UsageError('--plan and --run exclude each other: the first only prints what the second does.')
  const names = chosen(plan ?? run)
  if (!run) {
    for (const line of planOf(names, pace)) console.log(line)
    return 0
  }
  const out = lastOf(own.out)
  const before = readBefore(out, names)
  const account = await readAccount(own, env)
  const service = connect(account, pace)
  await checkAccount(service, touchedBy(names), lastOf(own.account))
  return runAll({ account, service, names, out, before })
}

function chosen(names: string[] | undefined): AssumptionName[] {
  if (names === undefined) throw new UsageError('give --plan to see what would be sent, or --run to send it.')
  for (const name of names)
    if (!isAssumption(name))
      throw new UsageError(`there is no assumption "${name}".${didYouMean(nearest(name, Object.keys(assumptions)))}`)
  return (names.length > 0 ? names : Object.keys(assumptions)) as AssumptionName[]
}

/** What an earlier run found. It is replaced, so this run must be about all of it. */
function readBefore(out: string | undefined, names: readonly string[]): Probed | undefined {
  if (out === undefined) return undefined
  if (!existsSync(dirname(out))) throw new UsageError(`--out ${out}: there is no folder ${dirname(out)}.`)
  if (!existsSync(out)) return undefined
  let before: Probed
  try {
    before = readEvidence(out)
  } catch (error) {
    throw new UsageError(`--out: ${(error as Error).message} It is not overwritten.`)
  }
  const lost = Object.keys(before.verdicts).filter(name => !names.includes(name))
  if (lost.length === 0) return before
  throw new UsageError(
    `--out ${out}: it has ${counted(lost.length, 'verdict')} that this run is not about, such as ${lost[0]}. Run all, or name another file.`,
  )
}

const connect = (account: Account, pace: number) =>
  new Connection<ProbeMethod>(account, METHODS, {
    pace,
    onWait: (seconds, why) => say(`edgesim: waiting for ${seconds} s: ${printable(why)}`),
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
  return holding(journal.file, () => runWith(journal, run, now))
}

async function runWith(journal: ProbeJournal, run: Run, now: string): Promise<number> {
  const { service, account, names } = run
  say(`edgesim: probing ${service.host} for ${counted(names.length, 'assumption')}.`)
  say(`edgesim: what is made is in ${journal.file}. If this run is killed: ${sweepWith(journal, account)}`)
  const width = Math.max(...names.map(name => name.length))
  const onVerdict = (name: AssumptionName, verdict: Verdict) =>
    say(`  ${name.padEnd(width)}  ${wordsOf(verdict)}${differs(name, verdict)}`)
  const tellOfRest = () => say(`edgesim: what was made may still be there. ${sweepWith(journal, account)} deletes it.`)
  const outcome = await untilAborted(signal => {
    signal.addEventListener('abort', () => say('edgesim: ending; what was made is deleted first.'))
    return probe({ service, journal, signal, onVerdict }, names)
  }, tellOfRest).catch(error => {
    journal.close()
    tellOfRest()
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
  'value' in verdict && verdict.value !== defaultOf(name) ? ` (edgesim assumes ${defaultOf(name)})` : ''

/** Does something with a journal that no other process has in use: a sweep of a run that goes on would remove it. */
async function holding(file: string, work: () => Promise<number>): Promise<number> {
  const { release } = await lock(file, fileCalls).catch(error => {
    if (!hasCode(error, 'DATABASE_IN_USE')) throw error
    throw new UsageError(`${file} is of a run that has not ended. Wait for it: it deletes what it made.`)
  })
  try {
    return await work()
  } finally {
    release()
  }
}

/** Ends the journal if nothing is left; otherwise says how to delete it. */
function finish(journal: ProbeJournal, left: Left[], account: Account) {
  if (left.length === 0) return journal.end()
  journal.close()
  for (const { path, why } of left) say(`edgesim: not deleted: ${path}: ${why}`)
  say(`edgesim: to try again: ${sweepWith(journal, account)}`)
}

const sweepWith = ({ file }: ProbeJournal, { url }: Account) => `edgesim probe sweep ${file} --url ${url}`

/** Writes the evidence and says what has changed since the last time. Returns the exit code. */
function report({ out, before }: Run, { stopped, left }: Outcome, found: Probed): number {
  const drift = before ? driftOf(before, found) : []
  if (stopped !== undefined) say(`edgesim: ${stopped}.`)
  // What a whole run has found is worth more than a part of the next one.
  const file = out !== undefined && stopped !== undefined && before ? out.replace(/(\.json)?$/i, '.stopped.json') : out
  const text = `${JSON.stringify(found, null, 2)}\n`
  if (file === undefined) console.log(text.trimEnd())
  else {
    write(file, text)
    say(`edgesim: the evidence is in ${file}. Use it with --assume ${file}`)
  }
  if (before && drift.length === 0) say(`edgesim: no drift since ${before.probed_at}.`)
  for (const line of drift) say(`edgesim: drift since ${before!.probed_at}: ${line}`)
  if (left.length > 0) return 1
  return drift.length > 0 ? DRIFTED : stopped === undefined ? 0 : 1
}

function write(file: string, text: string) {
  try {
    replaceFile(file, text)
  } catch (error) {
    console.log(text.trimEnd())
    throw new UsageError(`${file} cannot be written: ${whyUnwritable(error, file)}. The evidence was printed instead.`)
  }
}

/** The key is sent where the user says, not where a file does. */
async function sweep(file: string, own: ProbeOptions, pace: number, env: NodeJS.ProcessEnv): Promise<number> {
  // Before it is locked: beside a file that is none, no lock is written.
  ProbeJournal.open(file).close()
  return holding(file, () => sweepHeld(file, own, pace, env))
}

async function sweepHeld(file: string, own: ProbeOptions, pace: number, env: NodeJS.ProcessEnv): Promise<number> {
  const journal = ProbeJournal.open(file)
  const { url, vendor } = journal.head
  const account = await readAccount({ vendor, ...own }, env)
  if (account.url !== url)
    throw new UsageError(
      `${file} is of a run at ${url}, and this would ask ${account.url}. Say where with --url ${url}`,
    )
  const count = journal.left().length
  const left = await cleanUp(connect(account, pace), journal, { atEnd: true })
  finish(journal, left, account)
  say(
    `edgesim: ${left.length === 0 ? 'nothing is left' : `${left.length} left`} of ${counted(count, 'thing')} that the run may have made.`,
  )
  return left.length === 0 ? 0 : 1
}
