import { createHash, randomUUID } from 'node:crypto'
import { counted, printable } from '../../basics/text.ts'
import type { DefaultRequests } from '../../contract/info.ts'
import { NamedFiles } from '../../engine/files/named-files.ts'
import { MAX_CERTIFICATE_MB, readTextOf } from '../../engine/files/read-file.ts'
import { readConfigFile } from '../../simulator/options/config-file.ts'
import { forSimulator, type SimulatorOptions } from '../../simulator/options/options.ts'
import { nameOrFixture, type SandboxHandle } from '../sandbox-handle.ts'
import type { Refusal, SandboxRecipe, SimulatorHandle } from '../simulator-handle.ts'
import { connect, startSimulator } from '../start.ts'
import type { JournalEntry } from '../wire-types.ts'

// The build bundles what test runners need from this file.
export { matchers } from './matchers.ts'

/**
 * Connects to the simulator at EDGESIM_URL, or starts one. These options override the project's configuration file, and
 * its port is ignored because workers cannot share it.
 */
async function testServer(options: SimulatorOptions): Promise<SimulatorHandle> {
  const { EDGESIM_URL: url, EDGESIM_CONTROL_TOKEN: controlToken, EDGESIM_CERTIFICATE: file } = process.env
  if (url) return connect(url, { controlToken, ca: file ? readTextOf(file, MAX_CERTIFICATE_MB) : undefined })
  return startSimulator({ ...(await projectOptions(console.error)), port: 0, ...options })
}

const projectOptions = async (warn: (text: string) => void): Promise<SimulatorOptions> =>
  forSimulator((await readConfigFile(process.cwd(), warn))?.values ?? {})

/**
 * The test's settings for its sandbox in a simulator that was started without them. `edgesim exec` has applied the
 * configuration file itself, and its arguments take precedence.
 */
async function recipeFor(options: SimulatorOptions): Promise<SandboxRecipe> {
  const { EDGESIM_URL: url, EDGESIM_EXEC: exec } = process.env
  if (!url || exec) return {}
  const { fixture, scenario, seed, fixturesDir, scenariosDir } = { ...(await projectOptions(() => {})), ...options }
  // The simulator may have other directories, so names are looked up here first.
  const locate = <T>(given: T, files: NamedFiles) => (typeof given === 'string' ? (files.find(given) ?? given) : given)
  const fixtures = new NamedFiles('fixtures', fixturesDir)
  return {
    fixture: await nameOrFixture(locate(fixture, fixtures), fixtures),
    scenario: locate(scenario, new NamedFiles('scenarios', scenariosDir)),
    seed,
  }
}

export async function useServer(options: SimulatorOptions, use: (server: SimulatorHandle) => Promise<void>) {
  const server = await testServer(options)
  await use(server)
  await server.close()
}

const RUN = randomUUID()

/** Runs that share a simulator must not share sandboxes. EDGESIM_RUN makes a run repeatable. */
const runId = ({ EDGESIM_URL: url, EDGESIM_RUN: run } = process.env) => (url ? run || RUN : '')

/**
 * A new sandbox for a test, named after it. Without a shared simulator, the name is the same in every run: with a seed, a
 * test gets the same ids, no matter which other tests run.
 */
export async function sandboxOf(
  server: SimulatorHandle,
  options: SimulatorOptions,
  title: string,
  identity: unknown[],
) {
  const readable = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  const unique = createHash('sha256')
    .update(JSON.stringify([runId(), title, identity]))
    .digest('hex')
    .slice(0, 10)
  return server.sandbox(readable ? `${readable.replace(/-$/, '')}-${unique}` : unique, await recipeFor(options))
}

/** Marks the sandbox of a failed test, and describes its requests. */
export async function reportFailure(sandbox: SandboxHandle, server: SimulatorHandle): Promise<string> {
  await sandbox.markFailed()
  return describeRequests(sandbox, server)
}

/** The requests of a failed test, one per line, oldest first. Without requests, shows rejected ones, which may explain it. */
export async function describeRequests(sandbox: SandboxHandle, server: SimulatorHandle): Promise<string> {
  const requests = await sandbox.requests({ limit: 50 })
  if (requests.length === 0) {
    const strays = describeStrays(await sandbox.defaultRequests())
    return `edgesim: No requests reached the sandbox ${sandbox.name}.${strays}${describeRefusals(await server.refusals())}`
  }
  const lines = requests.reverse().map(describe)
  return `edgesim: Requests of this test (sandbox ${sandbox.name}):\n${lines.join('\n')}`
}

/** The most common mistake is a client with a hard-coded token, which selects the sandbox `default`. */
function describeStrays(strays: DefaultRequests[]): string {
  if (strays.length === 0) return ''
  const total = strays.reduce((sum, { requests }) => sum + requests, 0)
  const tokens = strays.map(({ token, key_id, requests }) => {
    const which = key_id === null ? 'without a valid token' : `with the token ${token ?? `of ${key_id}`}`
    return `${strays.length > 1 ? `${requests} ` : ''}${which}`
  })
  const found = `In the meantime, ${counted(total, 'request')} reached the sandbox default, ${tokens.join(', ')}`
  return printable(` ${found}. Does the client use sandbox.token?`)
}

/** Rejected requests have no sandbox. Their times show whether this test caused them. */
function describeRefusals(refusals: Refusal[]): string {
  if (refusals.length === 0) return ''
  const lines = refusals.slice(-5).map(({ at, msg }) => `  ${at}  ${printable(msg)}`)
  return ` Rejected before they reached a sandbox, newest last:
${lines.join('\n')}
To allow them, start the simulator with edgesimOptions: { cors: ['ORIGIN'], allowedHost: ['NAME'] }.`
}

const describe = ({ method, path, status, explanation }: JournalEntry) =>
  printable(
    `  ${status ?? '---'} ${method} ${path}${status === null || status >= 400 ? `  ${explanation?.text ?? ''}` : ''}`,
  )
