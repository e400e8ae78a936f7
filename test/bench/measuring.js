/** Shared by all measures: load, turns, and summaries. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cleanEnv, HEADERS, start } from './servers.js'

const script = fileURLToPath(new URL('load.js', import.meta.url))

export async function load(job) {
  const run = promisify(execFile)(process.execPath, [script, JSON.stringify({ headers: HEADERS, ...job })], {
    env: cleanEnv,
    maxBuffer: 1e8,
  })
  return JSON.parse((await run).stdout)
}

/** Requests per second over 16 connections. */
export const flood = async (url, job) => (await load({ kind: 'flood', url, connections: 16, ...job })).perSecond

const sorted = list => list.toSorted((a, b) => a - b)
export const at = (list, part) => sorted(list)[Math.min(list.length - 1, Math.floor(list.length * part))]
export const summary = list => ({
  median: at(list, 0.5),
  low: Math.min(...list),
  high: Math.max(...list),
  rounds: list.length,
})

/** Lists by name. Takes turns, so other load affects all alike. The first round warms up. */
export async function takeTurns(candidates, rounds, measure) {
  const seen = Object.fromEntries(candidates.map(({ name }) => [name, []]))
  for (let round = -1; round < rounds; round++)
    for (const candidate of candidates) {
      const value = await measure(candidate)
      if (round >= 0) seen[candidate.name].push(value)
    }
  return seen
}

export const summaries = lists => Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, summary(list)]))

export const inTurns = async (...args) => summaries(await takeTurns(...args))

export async function withServers(names, folder, options, use) {
  const running = []
  try {
    for (const name of names) running.push(await start(name, folder, options))
    return await use(running)
  } finally {
    for (const server of running) await server.stop()
  }
}

export const ratio = (seen, ours, theirs) => seen[ours].median / seen[theirs].median
export const rowOf = (what, value, unit, wanted, reached) => ({ what, value, unit, wanted, reached })

/** CPU of a process with all its threads, or undefined if the system does not report it. */
export function cpuMs(pid) {
  if (process.platform !== 'linux') return undefined
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** Null if the system does not report it. */
export function residentMB(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
  } catch {
    return null
  }
}
