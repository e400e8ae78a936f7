import { appendFileSync } from 'node:fs'

/** The runner's interface to an action: variables, files and lines on stdout. */

export const input = name => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim()

/** Adds values to the outputs (OUTPUT), the environment of later steps (ENV), or the state for stop.js (STATE). */
export function give(kind, values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  appendFileSync(process.env[`GITHUB_${kind}`], lines.join(''))
}

/** Shows a message at the top of the run. `kind` is error or warning. An error fails the job. */
export function report(kind, message) {
  const text = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  console.log(`::${kind} title=edgesim::${text}`)
  if (kind === 'error') process.exitCode = 1
}
