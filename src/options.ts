import type { Assumed } from './assumptions.ts'

/** What a simulator can be started with; the command line's options, in camel case. */
export interface SimulatorOptions {
  /** A file, a name on the shelf, or a fixture itself; without one, the default fixture. */
  fixture?: string | Record<string, unknown>
  scenario?: string | Record<string, unknown>
  /** Where fixtures are looked up by name, beside our own. */
  fixturesDir?: string
  scenariosDir?: string
  port?: number
  host?: string
  db?: string
  fresh?: boolean
  durability?: 'log' | 'fsync'
  vendor?: string
  seed?: string | number
  /** RFC 3339; the clock stands still at it. */
  clock?: string
  assume?: Assumed
  baseUrl?: string
  cors?: string[]
  trustProxy?: boolean
  allowedHost?: string[]
  controlToken?: string
  maxSandboxes?: number
  /** Serve HTTPS, with a certificate of its own making. */
  tls?: boolean
}
