import { operations } from '../../src/resources/index.ts'
import type { Simulated } from './simulate.ts'

export interface Route {
  method: string
  path: string
}

/** A name that fits wherever a path has a parameter. */
const VALUES: Record<string, string> = { sandbox: 'default', collection: 'users' }
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? 'nobody')

export const apiRoutes: Route[] = operations.map(({ method, path }) => ({ method, path: fill(path) }))

/** Every route of the control plane: its description is made of the table that the router is made of. */
export async function controlRoutes(call: Simulated['call'], token?: string): Promise<Route[]> {
  const { body } = await call('GET', '/_sim/control.json', undefined, { token })
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => ({ method: method.toUpperCase(), path: fill(path) })),
  )
}
