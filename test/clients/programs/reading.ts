import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { launch, type SpawnOptions } from '../../support/as-process.ts'
import { installClients } from './from-npm.ts'

/** The redirected host. */
export const HOST = 'api.ngrok.com'

/** Reads keys with Node's fetch. Its argument is a sandbox name. */
export const FETCH = fileURLToPath(new URL('./fetch.js', import.meta.url))
const ALL = fileURLToPath(new URL('./javascript.js', import.meta.url))
const FIRST = fileURLToPath(new URL('./no-lookup.cjs', import.meta.url))

/** Node loads it first. It fails DNS lookups, so no connection leaves the machine. */
export const NO_LOOKUP = `--require=${JSON.stringify(FIRST)}`

export interface Found {
  ids: string[]
  uris: string[]
}

interface Result extends Found {
  /** Replaces all others. */
  error?: string
  journal: object[]
}

/** Runs all clients of javascript.js in one process. `http2` is the one that the simulator rejects. */
export async function readWithAll({ env, ...options }: SpawnOptions & { node?: string } = {}) {
  await installClients()
  const { node = process.execPath } = options
  const command = [node, ALL]
  const { code, out, err } = await launch(['exec', '--as', HOST, '--', ...command], {
    ...options,
    // Clients use experimental parts of Node and undici.
    env: { NODE_OPTIONS: NO_LOOKUP, NODE_NO_WARNINGS: '1', ...env },
  }).ended
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const { results, ...about }: { node: string; noLookup: boolean; results: Record<string, Result> } = JSON.parse(out)
  const { 'node:http2': http2, ...served } = results
  return { ...about, http2, served }
}

/** Checks that all keys were read, and that all URLs are the vendor's. */
export function expectAllKeys({ ids, uris }: Found, scheme = 'https') {
  expect(ids).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
  expect(uris.length).toBeGreaterThanOrEqual(3)
  expect(uris.filter(uri => !uri.startsWith(`${scheme}://${HOST}/api_keys`))).toEqual([])
}

/** Checks that each client read all keys, and that its journal has a request per page. */
export function expectAllRead(served: Record<string, Result>) {
  expect(Object.entries(served).filter(([, { error }]) => error !== undefined)).toEqual([])
  expect(Object.keys(served)).toHaveLength(22)
  for (const [name, result] of Object.entries(served)) {
    expectAllKeys(result, name === 'http.get' ? 'http' : 'https')
    expect(result.journal, name).toEqual(Array(3).fill({ source_ip: '127.0.0.1', status: 200, host: HOST }))
  }
}
