/** The measures. Each returns rows: name, result, limit. */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { at, flood, inTurns, load, ratio, residentMB, rowOf, summary, withServers } from './measuring.js'
import { scaleMeasures } from './scale.js'
import { HEADERS, servers, start } from './servers.js'
import { trafficMeasures } from './traffic.js'

const KEY = '/api_keys/ak_admin'

export const measures = {
  /** GET a key, over 16 connections. */
  async get({ folder, rounds, seconds, peers }) {
    const names = Object.keys(servers).filter(name => peers.includes(name) || name === 'edgesim')
    const seen = await withServers(names, folder, {}, running =>
      inTurns(running, rounds, ({ url }) => flood(url + KEY, { seconds })),
    )
    const against = (name, least) => {
      const times = ratio(seen, 'edgesim', name)
      return rowOf(`GET a key, against ${name}`, times, '×', least && `≥ ${least}×`, !least || times >= least)
    }
    const wanted = { 'bare node:http': 0.62, 'Express 5': 2, 'json-server 1.0 beta': 2.1 }
    return { seen, unit: 'requests per second', rows: peers.map(name => against(name, wanted[name])) }
  },

  /** A page of 100 of 10,000 keys. */
  async list({ folder, rounds, seconds }) {
    const pages = {
      'json-server 1.0 beta': '/api_keys?_page=1&_per_page=100',
      'json-server 0.17': '/api_keys?_page=1&_limit=100',
      edgesim: '/api_keys?limit=100',
    }
    const seen = await withServers(Object.keys(pages), folder, { count: 10_000 }, running =>
      inTurns(running, rounds, ({ name, url }) => flood(url + pages[name], { seconds })),
    )
    const best = Math.max(seen['json-server 1.0 beta'].median, seen['json-server 0.17'].median)
    const times = seen.edgesim.median / best
    const what = 'list 100 of 10,000, against the fastest server that supports it'
    return { seen, unit: 'requests per second', rows: [rowOf(what, times, '×', '≥ 3×', times >= 3)] }
  },

  /** Creates keys that are on disk before the response. */
  async create({ folder, rounds, seconds, quick }) {
    const body = '{"description":"bench"}'
    const counts = quick ? [10_000] : [1_000, 10_000, 100_000]
    const running = []
    try {
      running.push(await start('bare node:http', folder))
      running.push(await start('json-server 1.0 beta', folder, { count: 10_000 }))
      for (const count of counts) {
        const flags = ['--db', join(folder, `db-${count}.json`)]
        running.push({ ...(await start('edgesim', folder, { count, flags })), name: `edgesim, ${count} keys` })
      }
      const job = { method: 'POST', headers: { ...HEADERS, 'content-type': 'application/json' }, body, seconds }
      const seen = await inTurns(running, rounds, ({ url }) => flood(`${url}/api_keys`, job))
      const ours = 'edgesim, 10000 keys'
      const theirs = ratio(seen, ours, 'json-server 1.0 beta')
      const bare = ratio(seen, ours, 'bare node:http')
      const rows = [
        rowOf('create with --db, against json-server at 10,000 keys', theirs, '×', '≥ 10×', theirs >= 10),
        rowOf('create with --db, against bare node:http (no disk)', bare, '×', 'aim: 0.4×', true),
      ]
      if (!quick) {
        const growth = ratio(seen, 'edgesim, 1000 keys', 'edgesim, 100000 keys')
        rows.push(rowOf('create: cost at 100,000 keys against 1,000', growth, '×', '≤ 1.2×', growth <= 1.2))
      }
      return { seen, unit: 'requests per second', rows }
    } finally {
      for (const server of running) await server.stop()
    }
  },

  /** Time and memory until the first response. */
  async start({ folder, starts, peers }) {
    const names = [...peers, 'edgesim'].map(name => ({ name }))
    const memory = Object.fromEntries(names.map(({ name }) => [name, []]))
    const seen = await inTurns(names, starts, async ({ name }) => {
      const server = await start(name, folder)
      await new Promise(resolve => setTimeout(resolve, 200))
      memory[name].push(residentMB(server.child.pid))
      await server.stop()
      return server.startMs
    })
    const row = (name, most) => {
      const times = ratio(seen, 'edgesim', name)
      return rowOf(`start to first response, against ${name}`, times, '×', most && `≤ ${most}×`, !most || times <= most)
    }
    const wanted = { 'json-server 1.0 beta': 0.87, 'Express 5': 0.9 }
    const mb = Object.fromEntries(Object.entries(memory).map(([name, list]) => [name, summary(list)]))
    const rows = peers.filter(name => name !== 'bare node:http').map(name => row(name, wanted[name]))
    if (mb.edgesim.median !== null) {
      const times = ratio(mb, 'edgesim', 'json-server 1.0 beta')
      rows.push(rowOf('memory after start, against json-server 1.0 beta', times, '×', '≤ 1×', times <= 1))
      rows.push(rowOf('memory after start', mb.edgesim.median, ' MB', 'aim: 60 MB', true))
    }
    return { seen, unit: 'ms', memory: mb, rows }
  },

  /** A reset over HTTP, with 10 and 100,000 keys. */
  async reset({ folder, quick }) {
    const rows = []
    const seen = {}
    for (const count of [10, 100_000]) {
      const server = await start('edgesim', folder, { count })
      const one = { kind: 'crowd', connections: 1, spreadMs: 0, method: 'POST', url: `${server.url}/_sim/reset` }
      const { times } = await load({ ...one, warmup: 200, rounds: quick ? 300 : 1000 })
      await server.stop()
      seen[`${count} keys`] = summary(times)
      const p50 = at(times, 0.5)
      rows.push(rowOf(`reset over HTTP at ${count.toLocaleString('en')} keys, p50`, p50, ' ms', '≤ 1 ms', p50 <= 1))
    }
    return { seen, unit: 'ms', rows }
  },

  /** Latency of a GET at 1,000 requests per second. */
  async rate({ folder, seconds }) {
    const server = await start('edgesim', folder)
    const url = server.url + KEY
    await flood(url, { seconds: 1 })
    const job = { kind: 'steady', url, connections: 64, perSecond: 1000, seconds: seconds * 2, warmupMs: 1000 }
    const { times } = await load(job)
    await server.stop()
    const p99 = at(times, 0.99)
    const rows = [rowOf('GET at 1,000 requests per second, p99', p99, ' ms', '≤ 5 ms', p99 <= 5)]
    return { seen: { edgesim: summary(times) }, unit: 'ms', rows }
  },

  /** The same load on one sandbox and on 10,000. */
  async sandboxes({ folder, rounds, seconds }) {
    const server = await start('edgesim', folder, { flags: ['--max-sandboxes', '20000'] })
    const loads = [
      { name: 'one sandbox', sandboxes: 'one' },
      { name: '10,000 sandboxes', sandboxes: 'many' },
    ]
    const seen = await inTurns(loads, rounds, ({ sandboxes }) =>
      flood(server.url + KEY, { sandboxes, seconds: seconds * 2 }),
    )
    await server.stop()
    const times = ratio(seen, '10,000 sandboxes', 'one sandbox')
    const rows = [rowOf('throughput with 10,000 active sandboxes, against one', times, '×', '≥ 0.9×', times >= 0.9)]
    return { seen, unit: 'requests per second', rows }
  },

  /** 50 ms of scenario latency, with 100 requests in flight. */
  async latency({ folder, quick }) {
    const wanted = 50
    const scenario = join(folder, 'latency.json')
    writeFileSync(scenario, JSON.stringify({ rules: [{ latency: `${wanted}ms` }] }))
    const server = await start('edgesim', folder, { flags: ['--scenario', scenario] })
    const job = { kind: 'crowd', url: server.url + KEY, connections: 100, spreadMs: wanted }
    const { times } = await load({ ...job, warmup: 20, rounds: quick ? 20 : 60 })
    await server.stop()
    const errors = times.map(time => time - wanted)
    const [median, p99] = [at(errors, 0.5), at(errors, 0.99)]
    const rows = [
      rowOf('50 ms of latency, 100 connections: median error', median, ' ms', '≤ 2 ms', Math.abs(median) <= 2),
      rowOf('50 ms of latency, 100 connections: p99 error', p99, ' ms', '≤ 10 ms', Math.abs(p99) <= 10),
    ]
    return { seen: { edgesim: summary(errors) }, unit: 'ms', rows }
  },

  /** Cost of a log to a pipe or a file. */
  async log({ folder, rounds, seconds }) {
    const kinds = [
      { name: 'silent', to: 'pipe' },
      ...['pretty', 'json'].flatMap(kind => ['pipe', 'file'].map(to => ({ name: `${kind} to a ${to}`, kind, to }))),
    ]
    const running = []
    const files = []
    try {
      for (const { name, kind = 'silent', to } of kinds) {
        const file = to === 'file' ? openSync(join(folder, `${kind}.log`), 'w') : 'pipe'
        if (to === 'file') files.push(file)
        const stdio = ['ignore', file, 'ignore']
        const server = await start('edgesim', folder, { flags: ['--log', kind], stdio })
        server.child.stdout?.resume()
        running.push({ ...server, name })
      }
      const seen = await inTurns(running, rounds, ({ url }) => flood(url + KEY, { seconds }))
      const rows = kinds.slice(1).map(({ name }) => {
        const times = ratio(seen, name, 'silent')
        return rowOf(`GET with --log ${name}, against silent`, times, '×', '≥ 0.85×', times >= 0.85)
      })
      return { seen, unit: 'requests per second', rows }
    } finally {
      for (const server of running) await server.stop()
      for (const file of files) closeSync(file)
    }
  },

  ...trafficMeasures,
  ...scaleMeasures,
}
