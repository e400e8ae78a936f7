import { forEach, pooledClient, type RawCall, type Reply } from '../../support/raw-http.ts'
import { CONTROL_TOKEN } from './shared.ts'

export const namesOf = (count: number) => Array.from({ length: count }, (_, i) => `sandbox-${i}`)

export const instanceIn = ({ headers }: Reply) => headers.get('edgesim-instance')

const control = (method: string, path: string): RawCall => ({ method, path: `/_sim${path}`, token: CONTROL_TOKEN })

/** Half of the sandboxes are created by name, half by the first request with their token. */
const FIRST: ((name: string) => RawCall)[] = [
  name => control('PUT', `/sandboxes/${name}`),
  name => ({ method: 'GET', path: '/api_keys/ak_admin', token: `sim_admin~${name}` }),
]

/** Calls to a sandbox in turn: API and control plane, reads and writes. */
const CALLS: ((name: string) => RawCall)[] = [
  name => ({ method: 'POST', path: '/api_keys', token: `sim_admin~${name}`, body: { description: name } }),
  name => control('GET', `/sandboxes/${name}`),
  name => ({ method: 'GET', path: '/api_keys?limit=1', token: `sim_admin~${name}` }),
  name => control('GET', `/sandboxes/${name}/requests?limit=1`),
  name => ({
    method: 'PATCH',
    path: '/api_keys/ak_ci',
    token: `sim_admin~${name}`,
    body: { description: name },
    chunked: true,
  }),
  name => control('PUT', `/sandboxes/${name}/snapshots/latest`),
]

export const createdIn = (rounds: number) => Math.ceil((rounds - 1) / CALLS.length)

const AT_ONCE = 64
/** nginx closes a connection after 1,000 requests. */
const ROUNDS_OF_A_CLIENT = 10

/**
 * Sends `rounds` requests to each sandbox, interleaved, over open connections. Returns the instance of each sandbox,
 * and the responses that failed or came from another instance.
 */
export async function spread(port: number, names: string[], rounds: number) {
  const homes = new Map<string, string>()
  const wrong: string[] = []
  for (let begin = 0; begin < rounds; begin += ROUNDS_OF_A_CLIENT) {
    const client = pooledClient(port, AT_ONCE)
    for (let round = begin; round < Math.min(rounds, begin + ROUNDS_OF_A_CLIENT); round++) {
      await forEach(names.entries(), AT_ONCE, async ([i, name]) => {
        const calls = round === 0 ? FIRST : CALLS
        const call = calls[(round === 0 ? i : round - 1) % calls.length]!(name)
        const response = await client.send(call)
        const instance = instanceIn(response) ?? 'nobody'
        const home = homes.get(name) ?? instance
        homes.set(name, home)
        if (response.status < 300 && instance === home) return
        wrong.push(`${call.method} ${call.path} for ${name}: ${response.status} from ${instance}, not ${home}`)
      })
    }
    client.close()
  }
  return { homes, wrong }
}
