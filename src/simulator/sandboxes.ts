import { statSync } from 'node:fs'
import { SimulatorError } from '../contract/simulator-error.ts'
import { ApiError } from '../engine/error.ts'
import { dropIdleSandboxes } from '../engine/launch/expiry.ts'
import { Launch } from '../engine/launch/launch.ts'
import { Sandboxes } from '../engine/launch/registry.ts'
import type { Sandbox } from '../engine/sandbox/index.ts'
import type { Observers } from './observers.ts'
import type { Settings } from './settings.ts'
import type { Notices, Parts } from './types.ts'

const LARGE_BYTES = 5_000_000

/** Announces large files before reading them, to explain the pause. */
function announceLargeFiles(files: unknown[], announce: (text: string) => void) {
  for (const file of files) {
    const size = typeof file === 'string' ? sizeOf(file) : 0
    if (size > LARGE_BYTES) announce(`Reading ${file} (${Math.round(size / 1e6)} MB)…`)
  }
}

/** Zero for an unreadable file: reading it reports why. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

/** Reads the fixture and the scenario, and creates the sandbox `default` from them. */
export async function createSandboxes(
  { options, launch }: Settings,
  { emit, onDrop }: Observers,
  parts: Parts,
  { info, warn }: Notices,
) {
  announceLargeFiles([options.fixture, options.db], info)
  const read = await Launch.read(launch).catch(error => {
    // An inline fixture or scenario has no file name.
    throw error instanceof ApiError ? new SimulatorError('INVALID_OPTION', error.message) : error
  })
  const { maxSandboxes: most, sandboxTtl: ttl } = options
  return new Sandboxes(read, { ...parts, most, ttl, emit, onDrop, warn })
}

/** With `--sandbox-ttl`: drops unused sandboxes. */
export function expireSandboxes(
  sandboxes: Sandboxes,
  { sandboxTtl }: Settings['options'],
  { emit }: Observers,
  /** Whether it is used without requests. */
  isHeld: (sandbox: Sandbox) => boolean,
) {
  if (sandboxTtl === undefined) return undefined
  return dropIdleSandboxes(sandboxes, sandboxTtl, isHeld, data =>
    emit({ type: 'expired', sandbox: 'default', data }, true),
  )
}
