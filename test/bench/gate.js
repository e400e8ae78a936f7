/**
 * `npm run bench -- --gate`: the CPU of a GET, a create and a start relative to bare node:http in the same run, compared
 * with the ratios of this processor in docs/contributing/performance.json. It needs no peers, and runs only on Linux.
 */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { at, cpuMs, load, takeTurns, withServers } from './measuring.js'
import { HEADERS, start } from './servers.js'

export const processor = cpus()[0]?.model.trim() || process.arch
const FILE = fileURLToPath(new URL('../../docs/contributing/performance.json', import.meta.url))
/** Figures by processor, because ratios depend on it. */
const stored = () => JSON.parse(readFileSync(FILE, 'utf8')).gate

const BARE = 'bare node:http'
const ROUNDS = 5
/** For figures to store, and for those that would warn: on a noisy machine, a median of 5 rounds varies by 20 %. */
const MORE_ROUNDS = 20
const REQUESTS = 6_000
const CONNECTIONS = 16
/** Starts per round, because a single start takes only a few CPU ticks. */
const STARTS = 8

/** Increase over the stored ratio that warns or fails. Machines are noisy. */
const WARNS = 0.08
const FAILS = 0.25

const POST = {
  method: 'POST',
  body: '{"description":"bench"}',
  headers: { ...HEADERS, 'content-type': 'application/json' },
}

/** CPU per request in microseconds, by server. */
const perRequest = (folder, rounds, job, path, flags) =>
  withServers([BARE, 'edgesim'], folder, { flags }, running =>
    takeTurns(running, rounds, async ({ url, child }) => {
      const before = cpuMs(child.pid)
      const crowd = { kind: 'crowd', connections: CONNECTIONS, spreadMs: 0, warmup: 0, rounds: REQUESTS / CONNECTIONS }
      await load({ ...crowd, url: url + path, ...job })
      return ((cpuMs(child.pid) - before) * 1000) / REQUESTS
    }),
  )

/** CPU per start in microseconds, by server. */
const perStart = (folder, rounds) =>
  takeTurns([{ name: BARE }, { name: 'edgesim' }], rounds, async ({ name }) => {
    let sum = 0
    for (let i = 0; i < STARTS; i++) {
      const { child, stop } = await start(name, folder)
      sum += cpuMs(child.pid)
      await stop()
    }
    return (sum * 1000) / STARTS
  })

const MEASURES = {
  get: (folder, rounds) => perRequest(folder, rounds, {}, '/api_keys/ak_admin'),
  create: (folder, rounds) =>
    perRequest(folder, rounds, POST, '/api_keys', ['--db', join(folder, 'gate.json'), '--fresh']),
  start: perStart,
}

/** By measure: the median CPU of both in microseconds, and the median ratio of neighbouring rounds. */
async function measureGate(folder, rounds, names = Object.keys(MEASURES)) {
  const figures = {}
  for (const name of names) {
    const { [BARE]: bare, edgesim } = await MEASURES[name](folder, rounds)
    const ratios = edgesim.map((each, i) => each / bare[i])
    figures[name] = {
      bare: Math.round(at(bare, 0.5)),
      edgesim: Math.round(at(edgesim, 0.5)),
      ratio: Math.round(at(ratios, 0.5) * 100) / 100,
    }
  }
  return figures
}

/** The stored figures, with new ones for this processor. */
export const updateGate = async folder => ({ ...stored(), [processor]: await measureGate(folder, MORE_ROUNDS) })

/** The stored figures of a processor. For an unknown one, those of the processor on which bare node:http is most similar. */
export function storedFor(name, seen, gate) {
  const distance = ({ create }) => Math.abs(create.bare - seen.create.bare)
  return gate[name] ?? Object.values(gate).sort((a, b) => distance(a) - distance(b))[0]
}

/** Compares the figures with the stored figures. Returns 1 if one is much worse. */
export async function passGate(folder) {
  if (process.platform !== 'linux') {
    console.log('The CPU of a process is only known on Linux: nothing was measured.')
    return 0
  }
  const first = await measureGate(folder, ROUNDS)
  const before = storedFor(processor, first, stored())
  const doubtful = judge(first, before)
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ name }) => name)
  const again = await measureGate(folder, MORE_ROUNDS, doubtful)
  const judged = judge({ ...first, ...again }, before)
  for (const { line } of judged) console.log(line)
  const failed = judged.some(({ verdict }) => verdict === 'FAILED')
  if (failed) console.log('If that is wanted, store the new figures: npm run bench -- --write')
  return failed ? 1 : 0
}

/** By figure: `ok`, `warning` or `FAILED`, and a line that says so. */
export function judge(seen, before) {
  return Object.entries(seen).map(([name, { bare, edgesim, ratio }]) => {
    const change = ratio / before[name].ratio - 1
    const verdict = change > FAILS ? 'FAILED' : change > WARNS ? 'warning' : 'ok'
    const figures = `${edgesim} µs, bare node:http ${bare} µs, ${ratio}×; stored ${before[name].ratio}×`
    const line = `${verdict}: CPU of a ${name}: ${figures} (${change < 0 ? '' : '+'}${Math.round(change * 100)} %)`
    return { name, verdict, line }
  })
}
