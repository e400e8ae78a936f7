import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { printable } from '../basics/text.ts'
import type { SandboxHandle } from '../client/sandbox-handle.ts'
import { connect, type Refusal, type SimulatorHandle } from '../client/simulator-handle.ts'
import { startSimulator } from '../client/start.ts'
import type { Entry } from '../contract/journal-entry.ts'
import { readProjectOptions } from '../options/config-file.ts'
import type { SimulatorOptions } from '../options/options.ts'

/**
 * The simulator at EDGESIM_URL when that is set, else one of our own, started with the project's configuration and
 * these options over it. The port of the file is not for several workers.
 */
export async function testServer(options: SimulatorOptions): Promise<SimulatorHandle> {
  const { EDGESIM_URL: url, EDGESIM_CONTROL_TOKEN: controlToken, EDGESIM_CERTIFICATE: file } = process.env
  if (!url) return startSimulator({ ...(await readProjectOptions(console.error)), port: 0, ...options })
  return connect(url, { controlToken, ca: file ? readFileSync(file, 'utf8') : undefined })
}

const RUN = randomUUID()

/** Several runs may share a simulator, and must not share sandboxes. EDGESIM_RUN names this one, so that it can be repeated. */
const runId = ({ EDGESIM_URL: url, EDGESIM_RUN: run } = process.env) => (url ? run || RUN : '')

/**
 * A sandbox of a test's own, under a name that says which test it is and, in a simulator of its own, is the same in every
 * run: with a seed, the same test draws the same ids whatever runs beside it.
 */
export function sandboxOf(server: SimulatorHandle, title: string, identity: unknown[]) {
  const readable = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  const unique = createHash('sha256')
    .update(JSON.stringify([runId(), title, identity]))
    .digest('hex')
    .slice(0, 10)
  return server.sandbox(readable ? `${readable.replace(/-$/, '')}-${unique}` : unique, {})
}

/** What a failed test did, oldest first, in a line each. If that is nothing, perhaps it was not let in. */
export async function describeRequests(sandbox: SandboxHandle, server: SimulatorHandle): Promise<string> {
  const requests = await sandbox.requests({ limit: 50 })
  if (requests.length === 0)
    return `edgesim: the sandbox ${sandbox.name} has seen no request.${describeRefusals(await server.refusals())}`
  const lines = requests.reverse().map(describe)
  return `edgesim: the requests of this test (sandbox ${sandbox.name}):\n${lines.join('\n')}`
}

/** They are of no sandbox, so that the time must tell whether they are of this test. */
function describeRefusals(refusals: Refusal[]): string {
  if (refusals.length === 0) return ''
  const lines = refusals.slice(-5).map(({ at, msg }) => `  ${at}  ${printable(msg)}`)
  return ` Refused before any sandbox, the latest last:
${lines.join('\n')}
A simulator that a worker starts takes these as edgesimOptions: { cors: ['ORIGIN'], allowedHost: ['NAME'] }.`
}

const describe = ({ method, path, status, explanation }: Entry) =>
  `  ${status ?? '---'} ${method} ${path}${status === null || status >= 400 ? `  ${explanation?.text ?? ''}` : ''}`
