import { once } from 'node:events'
import { readdirSync, watch } from 'node:fs'
import { Agent } from 'node:http'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch } from '../../support/as-process.ts'
import { ask } from '../../support/http.ts'
import { Ledger } from './crash-ledger.ts'

const AIMS = ['write', 'compaction', 'reset', 'start'] as const
const WRITERS = 6

export interface Crashes {
  cycles: number
  answered: number
  kills: Record<(typeof AIMS)[number], number>
  unreadable: string[]
  faults: string[]
  /** Temporary files next to the database at the end. */
  left: string[]
  seconds: number
}

interface Options {
  db: string
  cycles: number
  durability: 'log' | 'fsync'
  maxSeconds: number
  onCycle?(done: number, ledger: Ledger): void
}

/** Kills the command repeatedly while clients write, and checks for losses. */
export async function crash({ db, cycles, durability, maxSeconds, onCycle }: Options): Promise<Crashes> {
  const began = performance.now()
  const ledger = new Ledger()
  const result: Crashes = {
    cycles: 0,
    answered: 0,
    kills: { write: 0, compaction: 0, reset: 0, start: 0 },
    unreadable: [],
    faults: ledger.faults,
    left: [],
    seconds: 0,
  }
  const seconds = () => (performance.now() - began) / 1000
  const run = async (aim: (typeof AIMS)[number]) => {
    const child = new Child(db, durability)
    if (aim === 'start') {
      await sleep(Math.random() * 400)
      await child.kill()
      return
    }
    const url = await child.ready
    if (url === undefined) return void result.unreadable.push(child.printed)
    const client = new Client(url)
    ledger.compare(await client.read())
    await load(client, ledger, child, db, aim)
    await client.close()
  }
  while (result.cycles < cycles && seconds() < maxSeconds) {
    const aim = AIMS[result.cycles % AIMS.length]!
    await run(aim)
    result.kills[aim]++
    result.cycles++
    onCycle?.(result.cycles, ledger)
  }
  const last = new Child(db, durability)
  const url = await last.ready
  if (url === undefined) result.unreadable.push(last.printed)
  else {
    const client = new Client(url)
    ledger.compare(await client.read())
    await client.close()
    await last.kill('SIGTERM')
  }
  result.left = readdirSync(dirname(db)).filter(name => name !== 'db.json')
  return { ...result, answered: ledger.answered, seconds: seconds() }
}

class Child {
  readonly #launched: ReturnType<typeof launch>
  /** Undefined if it ended before it listened. */
  readonly ready: Promise<string | undefined>

  constructor(db: string, durability: string) {
    const args = ['--db', db, '--port', '0', '--log', 'json', '--durability', durability]
    this.#launched = launch(args, { env: { EDGESIM_TEST_COMPACT_AT: '3000' } })
    this.ready = this.#launched.until(/\n/).then(
      printed => JSON.parse(printed.split('\n')[0]!).url,
      () => undefined,
    )
  }

  get printed() {
    const { out, err } = this.#launched.printed
    return out + err
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL') {
    this.#launched.child.kill(signal)
    await this.#launched.ended
  }
}

class Client {
  readonly #agent = new Agent({ keepAlive: true })
  constructor(readonly url: string) {}

  /** Undefined if the connection failed and the result is unknown. */
  async call(method: string, path: string, body?: object) {
    const headers = { authorization: 'Bearer sim_admin', 'service-version': '2', 'content-type': 'application/json' }
    const sent = { method, headers, agent: this.#agent, body: body && JSON.stringify(body) }
    const { status, text, error } = await ask(this.url + path, sent)
    return error === undefined && status !== undefined ? { status, text } : undefined
  }

  async read(): Promise<Map<string, string>> {
    const response = await this.call('GET', '/_sim/db/api_keys')
    const rows: { id: string; metadata?: string }[] = JSON.parse(response!.text)
    return new Map(rows.filter(({ id }) => id.startsWith('ak_w')).map(({ id, metadata }) => [id, metadata!]))
  }

  async close() {
    this.#agent.destroy()
  }
}

let made = 0

async function load(client: Client, ledger: Ledger, child: Child, db: string, aim: string) {
  let over = false
  const busy = new Set<string>()
  const write = async () => {
    const free = ledger.present().filter(key => !busy.has(key))
    const chosen = Math.random() < 0.6 || free.length === 0 ? undefined : free[Math.floor(Math.random() * free.length)]!
    const key = chosen ?? `ak_w${++made}`
    const before = chosen ? ledger.certain(key)! : null
    const outcome = chosen && (Math.random() < 0.6 || free.length > 60) ? null : `m${++made}${'.'.repeat(made % 300)}`
    busy.add(key)
    const entry = ledger.begin(key, outcome)
    const response = await send(client, key, outcome, before)
    if (response?.status === 503) ledger.refuse(entry, before)
    else if (response) ledger.end(entry, response.status < 300)
    busy.delete(key)
  }
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!over) await write()
  })
  await aimed(client, ledger, db, aim)
  await child.kill()
  over = true
  await Promise.all(writers)
}

/** Creates keys as raw records with a fixed id, to recognize a pending create. */
function send(client: Client, key: string, outcome: string | null, before: string | null) {
  if (outcome === null) return client.call('DELETE', `/api_keys/${key}`)
  if (before !== null) return client.call('PATCH', `/api_keys/${key}`, { metadata: outcome })
  return client.call('POST', '/_sim/db/api_keys', { id: key, metadata: outcome })
}

async function aimed(client: Client, ledger: Ledger, db: string, aim: string) {
  const enough = ledger.answered + 5 + Math.floor(Math.random() * 15)
  while (ledger.answered < enough) await sleep(1)
  if (aim === 'compaction') {
    const watcher = watch(dirname(db))
    const seen = (async () => {
      for (;;) {
        const [, name] = await once(watcher, 'change')
        if (String(name).endsWith('.tmp')) return
      }
    })()
    await Promise.race([seen, sleep(2000)])
    watcher.close()
    if (Math.random() < 0.5) await sleep(Math.random() * 3)
  }
  if (aim === 'reset') {
    ledger.beginReset()
    const response = client.call('POST', '/_sim/reset').then(reply => {
      if (reply?.status === 204) ledger.endReset()
    })
    await Promise.race([response, sleep(Math.random() * 6)])
    if (Math.random() < 0.5) await sleep(Math.random() * 4)
  }
}
