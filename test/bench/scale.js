/** A shared simulator: processes behind nginx, compared with direct requests. Needs nginx. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configured, find, proxies } from '../../examples/scale-out/proxies.js'
import { cpuMs, flood, inTurns, ratio, rowOf } from './measuring.js'
import { reference, start } from './servers.js'

const { nginx } = proxies
const program = find('nginx')

/** One process, because SIGKILL would not stop its workers. */
const ARGS = nginx.args.with(-1, `${nginx.args.at(-1)} master_process off;`)

async function startNginx(name, folder, behind) {
  const own = join(folder, name.replace(/\W+/g, '-'))
  mkdirSync(own)
  const ports = behind.map(({ port }) => port)
  const command = port => {
    writeFileSync(join(own, nginx.file), configured(nginx, port, ports))
    return [program, ARGS]
  }
  return start(name, own, { command })
}

async function scaleOut({ folder, rounds, seconds }) {
  const running = []
  const started = async starting => {
    const server = await starting
    running.push({ ...server, cpu: cpuMs(server.child.pid), requests: 0 })
    return running.at(-1)
  }
  const simulator = () => started(start('edgesim', folder, { flags: ['--max-sandboxes', '20000'] }))
  const proxy = (name, ...behind) => started(startNginx(name, folder, behind))
  try {
    const direct = await simulator()
    const bare = await started(start('bare node:http', folder, { command: port => reference('bare', port) }))
    const [alone, ...both] = [await simulator(), await simulator(), await simulator()]
    const one = await proxy('edgesim behind nginx', alone)
    const two = await proxy('2 edgesims behind nginx', ...both)
    const none = await proxy('bare node:http behind nginx', bare)
    const seen = await inTurns([direct, one, two, bare, none], rounds, async server => {
      const job = { connections: 64, seconds, sandboxes: 'many' }
      const perSecond = await flood(`${server.url}/api_keys/ak_admin`, job)
      server.requests += perSecond * seconds
      return perSecond
    })
    /** CPU per request in these processes, independent of other load. */
    const cpu = (way, ...servers) =>
      servers.reduce((sum, server) => sum + cpuMs(server.child.pid) - server.cpu, 0) / way.requests
    const row = (what, times) => rowOf(what, times, '×', undefined, true)
    const rows = [
      row('GET a key through nginx, against direct', ratio(seen, one.name, direct.name)),
      row('GET a key through nginx to 2 processes, against direct', ratio(seen, two.name, direct.name)),
      row('bare node:http through nginx, against direct', ratio(seen, none.name, bare.name)),
      row('CPU of edgesim for a GET through nginx, against direct', cpu(one, alone) / cpu(direct, direct)),
      row('CPU of 2 processes for a GET, against one', cpu(two, ...both) / cpu(one, alone)),
      row('CPU of nginx for a GET, against edgesim', cpu(one, one) / cpu(one, alone)),
    ]
    return { seen, unit: 'requests per second', rows: rows.filter(({ value }) => !Number.isNaN(value)) }
  } finally {
    for (const server of running) await server.stop()
  }
}

export const scaleMeasures = program ? { 'scale-out': scaleOut } : {}
