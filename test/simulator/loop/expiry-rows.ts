import { Connection } from '../../support/raw-http.ts'
import type { Baseline, Group, Row } from './row.ts'

const SANDBOXES = 10_000

const rows = ({ port, send }: Baseline): Row[] => {
  const make = async () => {
    const connection = new Connection(port)
    for (let i = 0; i < SANDBOXES; i += 100) {
      const names = Array.from({ length: 100 }, (_, k) => `s${i + k}`)
      await connection.send(names.map(name => ({ path: '/api_keys/ak_admin', token: `sim_admin~${name}` })))
    }
    connection.close()
  }
  const expired = async () => {
    for (;;) {
      const { sandboxes } = (await send('GET', '/_sim/info')).body
      if (sandboxes.count === 1) return
      await new Promise(resolve => setTimeout(resolve, 250))
    }
  }
  return [{ what: 'dropped by --sandbox-ttl', size: `${SANDBOXES} sandboxes`, before: make, act: expired, times: 1 }]
}

export const expiry: Group = {
  name: 'unused sandboxes',
  args: ['--sandbox-ttl', '20s', '--max-sandboxes', '10001'],
  rows,
}
