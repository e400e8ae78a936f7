import { ApiError } from '../contract/errors.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { announceLargeFiles } from '../files/document.ts'
import { Launch } from '../sandboxes/launch.ts'
import { Sandboxes } from '../sandboxes/registry.ts'
import type { Events } from './events.ts'
import type { Notices } from './hooks.ts'
import type { Settings } from './settings.ts'
import type { Parts } from './types.ts'

/** Reads the fixture and the scenario, and creates the sandbox `default` from them. */
export async function openSandboxes({ options, launch }: Settings, events: Events, parts: Parts, notices: Notices) {
  announceLargeFiles([options.fixture, options.db], notices.info)
  const read = await Launch.read(launch).catch(error => {
    // An inline fixture or scenario has no file to name.
    throw error instanceof ApiError ? new SimulatorError('INVALID_OPTION', error.message) : error
  })
  let warned = false
  return new Sandboxes(read, {
    ...parts,
    most: options.maxSandboxes,
    ttl: options.sandboxTtl,
    emit: (event, live) => events.emit(event, live),
    onDrop: sandbox => events.drop(sandbox),
    onJournalsCleared(count) {
      if (!warned)
        notices.warn(
          `the journals of all sandboxes together reached their limit: cleared those of the ${count === 1 ? 'least recently used sandbox' : `${count} least recently used sandboxes`}. Drop sandboxes that are no longer needed.`,
        )
      warned = true
    },
  })
}
