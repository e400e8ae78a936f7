import { readFileSync } from 'node:fs'
import type { SandboxHandle } from '../handle/sandbox-handle.ts'
import { connect, type SimulatorHandle } from '../handle/simulator-handle.ts'
import { startSimulator } from '../handle/start.ts'
import type { SimulatorOptions } from '../options.ts'
import type { Entry } from '../sandbox/journal.ts'

/** The simulator at EDGESIM_URL when that is set, else one of our own, started with these options. */
export function testServer(options: SimulatorOptions): Promise<SimulatorHandle> {
  const { EDGESIM_URL: url, EDGESIM_CONTROL_TOKEN: controlToken, EDGESIM_CERTIFICATE: file } = process.env
  if (!url) return startSimulator(options)
  return connect(url, { controlToken, ca: file ? readFileSync(file, 'utf8') : undefined })
}

/** What a failed test did, oldest first, in a line each. */
export async function describeRequests(sandbox: SandboxHandle): Promise<string> {
  const requests = await sandbox.requests({ limit: 50 })
  if (requests.length === 0) return `edgesim: the sandbox ${sandbox.name} has seen no request.`
  const lines = requests.reverse().map(describe)
  return `edgesim: the requests of this test (sandbox ${sandbox.name}):\n${lines.join('\n')}`
}

const describe = ({ method, path, status, explanation }: Entry) =>
  `  ${status ?? '---'} ${method} ${path}${status === null || status >= 400 ? `  ${explanation?.text ?? ''}` : ''}`
