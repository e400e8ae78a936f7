import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readHouse, readSources, type Source } from '../../scripts/house.ts'
import { root } from '../support/afterwards.ts'

const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

const sources = readSources(root)

/** A room imports only from rooms above it: the list that contributors read. */
const ROOMS = readHouse(root, sources).map(({ name }) => name)

/** Lists that are read row by row. */
const TABLES = ['contract/assumptions.ts', 'contract/errors.ts', 'remote/probe/experiments.ts']

/** Rooms side by side: the composition root hands one what it needs of another. */
const STRANGERS = ['api', 'control', 'traffic', 'dashboard']

/** Packages that only some rooms may import. */
const OWNERS: Record<string, string[]> = {
  express: ['api', 'control'],
  lowdb: ['store'],
  '@modelcontextprotocol/sdk': ['mcp'],
  'prom-client': ['control'],
  yargs: ['cli'],
}

/** What a process has only one of. All else belongs to a simulator, and a process may have several. */
const OF_THE_PROCESS: Record<string, string[]> = {
  'basics/slices.ts': ['queue', 'left'], // the event loop
  'control/metrics.ts': ['processRegistry'], // memory and CPU
  'files/package.ts': ['distribution'], // the program: a package, or an executable that sets it before anything else
  'store/lock.ts': ['held'], // the locks that this process holds
}
/** A variable of a module that is changed later: `let`, or something empty that may be filled. */
const MODULE_STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!readonly)[^=\n]+)? = (?:\[\]|\{\}|new \w*(?:Map|Set|Registry)(?:<.*>)?\(\))$)/gm

/** A sandbox's time, ids and draws come from its clock and ids; printing and ending are up to the command line. */
const WORDS: { what: string; word: RegExp; allowed: (room: string) => boolean }[] = [
  {
    // A failed test tells what happened by printing it.
    what: 'prints and ends',
    word: /\bconsole\s*\.|\bprocess\.(exit|stdout|stderr)\b/,
    allowed: room => room === 'cli' || room === 'testing',
  },
  {
    // src/files/replace-file.ts follows no link, and knows which files only their owner may read.
    what: 'writes files by name',
    word: /\b(writeFile|appendFile|createWriteStream)/,
    allowed: room => room === 'files' || room === 'store',
  },
  {
    // src/files/read-file.ts reads no pipes and no devices, and not more than is expected.
    what: 'reads files by name',
    word: /\breadFile(Sync)?\b/,
    allowed: room => room === 'files',
  },
  {
    // On Node 20 they may be collected before they abort: src/basics/within.ts has a timer.
    what: 'trusts signals that nobody holds',
    word: /\bAbortSignal\s*\.\s*(any|timeout)\b(?!`)/,
    allowed: () => false,
  },
  {
    what: 'asks the machine for time and chance',
    word: /\bwallClock\b|\bMath\.random\b/,
    allowed: room => !['operations', 'resources', 'scenarios', 'api'].includes(room),
  },
  {
    // A test in the same process may have replaced them: src/basics/real-time.ts has the real ones.
    what: 'takes time from globals',
    word: /\bDate\.now\b|\bnew Date\(\)/,
    allowed: room => ['basics', 'cli', 'dashboard'].includes(room),
  },
]

const violations = (find: (source: Source) => string[]) =>
  sources.flatMap(source => find(source).map(what => `${source.file}: ${what}`))

describe('The house', () => {
  it('has the rooms that CONTRIBUTING lists, and no other', () => {
    expect(readdirSync(join(root, 'src')).sort()).toEqual([...ROOMS].sort())
  })

  it('has every file that CONTRIBUTING names', () => {
    const paths = [...contributing.matchAll(/`((?:src|test|docs)\/[^`]*)`/g)].map(([, path]) => path!)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
  })

  it.each([
    ['src/resources', 'index.ts', /= (record|collection|module|entries)\(/],
    ['src/scenarios/faults', 'index.ts', /export/],
    ['src/control/routes', '../app.ts', /export/],
  ])('lists every file of %s that declares something in %s', (folder, list, declares) => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map(file => file.replaceAll('\\', '/'))
      .filter(file => file.endsWith('.ts') && file !== list)
      .filter(file => declares.test(readFileSync(join(root, folder, file), 'utf8')))
    const index = readFileSync(join(root, folder, list), 'utf8')
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter(file => !index.includes(`/${file}'`))).toEqual([])
  })

  it('has no file of more than 250 lines but tables, and few files of 25 lines or fewer', () => {
    const written = sources.filter(({ generated }) => !generated)
    const isLong = ({ file, lines }: Source) => lines > 250 && !TABLES.includes(file)
    expect(written.filter(isLong).map(({ file }) => file)).toEqual([])
    expect(written.filter(({ lines }) => lines <= 25).length).toBeLessThanOrEqual(40)
  })

  it('lets a room import only from rooms above it', () => {
    const found = violations(({ room, imports }) =>
      imports
        .filter(({ room: other }) => {
          if (other === undefined || other === room) return false
          const strangers = STRANGERS.includes(room) && STRANGERS.includes(other)
          return strangers || ROOMS.indexOf(other) > ROOMS.indexOf(room)
        })
        .map(({ from }) => `imports ${from}`),
    )
    expect(found).toEqual([])
  })

  it('lets the page import values only from modules of basics and contract that a browser can run', () => {
    const reached = new Set(sources.filter(({ room }) => room === 'dashboard').map(({ file }) => file))
    const found: string[] = []
    for (const file of reached) {
      const { room, text, imports } = sources.find(source => source.file === file)!
      if (!['dashboard', 'basics', 'contract'].includes(room)) found.push(`${file}: in another room`)
      for (const { from } of imports.filter(({ type }) => !type)) {
        if (from.startsWith('.') && /\.tsx?$/.test(from)) reached.add(posix.join(dirname(file), from))
        else if (room !== 'dashboard' || from.startsWith('node:')) found.push(`${file}: imports ${from}`)
      }
      if (room !== 'dashboard' && /\b(Buffer|process)\b/.test(text)) found.push(`${file}: needs Node`)
    }
    expect(found).toEqual([])
    expect(reached).toContain('contract/names.ts')
  })

  it('lets mcp reach the simulator by its address only', () => {
    const near = ['mcp', 'basics', 'contract', 'files', 'client']
    const found = violations(({ room, imports }) =>
      room !== 'mcp'
        ? []
        : imports
            .filter(({ room: other, type }) => !type && ![undefined, ...near].includes(other))
            .map(({ from }) => `imports ${from}`),
    )
    expect(found).toEqual([])
  })

  it('has no circle of files, not even of types', () => {
    const known = new Map(sources.map(source => [source.file, source]))
    const done = new Set<string>()
    const circles: string[] = []
    const walk = (file: string, way: string[]) => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
      if (way.includes(file) || done.has(file)) return
      for (const { from } of known.get(file)?.imports ?? [])
        if (from.startsWith('.')) walk(posix.join(dirname(file), from), [...way, file])
      done.add(file)
    }
    for (const { file } of sources) walk(file, [])
    expect(circles).toEqual([])
  })

  it('keeps no state in modules, and caches only with src/basics/memoize.ts', () => {
    const found = violations(({ room, file, text }) =>
      // The page is a program of its own.
      room === 'dashboard'
        ? []
        : Array.from(text.matchAll(MODULE_STATE), ([, changed, filled]) => (changed ?? filled)!).filter(
            name => !OF_THE_PROCESS[file]?.includes(name),
          ),
    )
    expect(found).toEqual([])
  })

  it.each(Object.entries(OWNERS))('uses %s only in %s', (name, rooms) => {
    const isPackage = (from: string) => from === name || from.startsWith(`${name}/`)
    const found = violations(({ room, imports }) =>
      rooms.includes(room) ? [] : imports.filter(({ from }) => isPackage(from)).map(({ from }) => `imports ${from}`),
    )
    expect(found).toEqual([])
  })

  it('imports the timers it uses, except in the command line and the page', () => {
    const found = violations(({ room, text }) =>
      ['cli', 'dashboard'].includes(room)
        ? []
        : ['setTimeout', 'setInterval', 'setImmediate'].filter(
            name =>
              new RegExp(`\\b${name}\\(`).test(text) && !new RegExp(`\\{[^}]*\\b${name}\\b[^}]*\\} from`).test(text),
          ),
    )
    expect(found).toEqual([])
  })

  it.each(WORDS)('$what only in the allowed rooms', ({ word, allowed }) => {
    expect(violations(({ room, text }) => (allowed(room) ? [] : (word.exec(text)?.slice(0, 1) ?? [])))).toEqual([])
  })
})

/** Folders of tests that belong to no room. */
const BESIDE = ['contract', 'clients', 'bench', 'mutation', 'packaging', 'support']

const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .map(file => ({ file, text: readFileSync(join(root, 'test', file), 'utf8') }))

describe('Tests', () => {
  it('are in folders named after rooms, or after what they are beside', () => {
    const folders = readdirSync(join(root, 'test'))
    expect(folders.filter(folder => ![...ROOMS, ...BESIDE].includes(folder))).toEqual([])
  })

  it('have .long., .sampled. or .hostile. in their name if they do more in npm run test:long, and only then', () => {
    const wrong = tests.filter(({ file, text }) => {
      const doesMore = /\b(LONG|LONG_MS|samples)\b/.test(text)
      return doesMore ? !/\.(long|sampled|hostile)\./.test(file) : /\.(long|sampled)\./.test(file)
    })
    expect(wrong.filter(({ file }) => file !== 'contract/house.test.ts').map(({ file }) => file)).toEqual([])
  })

  it('are not switched off, nor run alone', () => {
    const off = tests.filter(({ text }) => /^\s*(describe|it)\.(skip|todo|only)\b/m.test(text))
    expect(off.map(({ file }) => file)).toEqual([])
  })
})
