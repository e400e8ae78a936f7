/** Edges compared with minimal proxies, each with its own upstream. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { at, flood, load, residentMB, rowOf, summaries, summary, takeTurns } from './measuring.js'
import { dataOf, edgesim, HEADERS, node, reference, start } from './servers.js'

const MB = 1024 * 1024

/** edgesim with one edge of each kind to that port. */
function fixtureOf(folder, port) {
  const route = { id: 'edghtsrt_a', match: '/', upstream: `http://127.0.0.1:${port}` }
  const request_headers = { add: { 'X-Edge': 'edgesim' }, remove: ['cookie'] }
  const edges = {
    tcp_edges: [{ id: 'edgtcp_a', listen: '127.0.0.1:0', upstream: `127.0.0.1:${port}` }],
    https_edges: [{ id: 'edghts_a', listen: 'http://127.0.0.1:0', routes: [{ ...route, request_headers }] }],
  }
  const file = join(folder, 'edges.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(dataOf(folder, 10).fixture, 'utf8')), ...edges }))
  return file
}

async function startEdges(folder, upstream) {
  const fixture = fixtureOf(folder, upstream.port)
  const server = await start('edgesim', folder, {
    command: port => node(edgesim, fixture, '--port', port, '--log', 'silent'),
  })
  try {
    const answer = await fetch(`${server.url}/_sim/traffic`, { headers: HEADERS })
    const { listeners } = await answer.json()
    const urlOf = kind => `http://127.0.0.1:${listeners.find(each => each.kind === kind).port}`
    return { ...server, tcp: urlOf('tcp'), http: urlOf('https') }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** An upstream behind edgesim and a proxy of that kind. */
async function besideEdges(kind, name, folder, use) {
  const running = []
  const started = async starting => {
    running.push(await starting)
    return running.at(-1)
  }
  const launch = (name, ...args) => started(start(name, folder, { command: port => reference(args[0], port, args[1]) }))
  try {
    const upstream = await launch('upstream', 'upstream')
    const proxy = await launch(name, kind, upstream.port)
    const edges = await started(startEdges(folder, upstream))
    return await use({ ...proxy, tcp: proxy.url, http: proxy.url }, edges)
  } finally {
    for (const server of running) await server.stop()
  }
}

/** Short turns and the median ratio of neighbouring rounds, because three processes on few cores are noisy. */
async function compared(both, { rounds, seconds }, measure) {
  const lists = await takeTurns(both, rounds * seconds, measure)
  const [theirs, ours] = both.map(({ name }) => lists[name])
  const ratios = ours.map((value, i) => value / theirs[i])
  return { seen: summaries(lists), times: at(ratios, 0.5) }
}

export const trafficMeasures = {
  /** Bytes through a TCP edge, over 4 connections. */
  async 'traffic-tcp'(settings) {
    const bare = 'bare node:net pipe'
    const { seen, times } = await besideEdges('pipe', bare, settings.folder, (...both) =>
      compared(both, settings, async ({ tcp }) => {
        const job = { kind: 'pour', url: `${tcp}/bytes`, connections: 4, seconds: 1, warmupMs: 200 }
        return (await load(job)).perSecond / MB
      }),
    )
    const rows = [rowOf(`bytes through a TCP edge, against a ${bare}`, times, '×', '≥ 0.9×', times >= 0.9)]
    return { seen, unit: 'MB per second', rows }
  },

  /** Small GETs through an HTTPS edge without TLS, over keep-alive connections. One header is added and one removed. */
  async 'traffic-http'(settings) {
    const bare = 'bare httpxy'
    const headers = { ...HEADERS, cookie: 'a=b' }
    const { seen, times } = await besideEdges('httpxy', bare, settings.folder, (...both) =>
      compared(both, settings, ({ http }) => flood(`${http}/api_keys/ak_admin`, { seconds: 1, headers })),
    )
    const rows = [rowOf(`GET through an HTTP edge, against ${bare}`, times, '×', '≥ 0.8×', times >= 0.8)]
    return { seen, unit: 'requests per second', rows }
  },

  /** Peak memory growth with 1,000 active connections. */
  async 'traffic-memory'({ folder, quick }) {
    const bytes = quick ? 1e9 : 1e10
    const seen = await besideEdges('pipe', 'bare node:net pipe', folder, async (...both) => {
      const grown = []
      for (const { name, tcp, child } of both) {
        const before = residentMB(child.pid)
        if (before === null) continue
        let most = before
        const watch = setInterval(() => {
          most = Math.max(most, residentMB(child.pid))
        }, 50)
        try {
          await load({ kind: 'pour', url: `${tcp}/bytes`, connections: 1000, bytes })
        } finally {
          clearInterval(watch)
        }
        grown.push([name, summary([Math.max(most, residentMB(child.pid)) - before])])
      }
      return Object.fromEntries(grown)
    })
    const what = `1,000 connections and ${bytes / 1e9} GB through a TCP edge: memory grows by`
    const most = seen.edgesim?.median
    const rows = seen.edgesim ? [rowOf(what, most, ' MB', '≤ 50 MB', most <= 50)] : []
    return { seen, unit: 'MB', rows }
  },
}
