import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readLayers, readSources, type Source } from '../../scripts/layers.ts'
import { root } from '../support/afterwards.ts'

const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

const sources = readSources(root)

/** The list in CONTRIBUTING.md. A folder imports only from folders listed before it. */
const FOLDERS = readLayers(root, sources).map(({ name }) => name)

/** Files that consist of one long table. */
const TABLES = ['contract/assumptions.ts', 'contract/errors.ts', 'remote/probe/experiments.ts']

/** Folders that never import each other. The composition root connects them. */
const INDEPENDENT = ['api', 'control', 'traffic', 'dashboard']

const OWNERS: Record<string, string[]> = {
  express: ['api', 'control'],
  lowdb: ['store'],
  '@modelcontextprotocol/sdk': ['mcp'],
  'prom-client': ['control'],
  yargs: ['cli'],
}

/** State that a process has once. Other state belongs to a simulator, and a process may run several. */
const PROCESS_STATE: Record<string, string[]> = {
  'basics/slices.ts': ['queue', 'left'], // the event loop
  'control/metrics.ts': ['processRegistry'], // memory and CPU
  'files/package.ts': ['distribution'], // the package, or the executable, which sets it first
  'store/lock.ts': ['held'], // the locks of this process
}
/** A module variable that may change: `let`, or an empty collection. */
const MODULE_STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!readonly)[^=\n]+)? = (?:\[\]|\{\}|new \w*(?:Map|Set|Registry)(?:<.*>)?\(\))$)/gm

const RESTRICTED_CALLS: { what: string; call: RegExp; allowed: (folder: string) => boolean }[] = [
  {
    // `testing` prints the requests of a failed test. `dashboard` generates code that prints, and biome checks its own.
    what: 'prints and exits',
    call: /\bconsole\s*\.|\bprocess\.(exit|stdout|stderr)\b/,
    allowed: folder => ['cli', 'testing', 'dashboard'].includes(folder),
  },
  {
    // src/engine/files/replace-file.ts follows no links and sets the file mode.
    what: 'writes files by name',
    call: /\b(writeFile|appendFile|createWriteStream)/,
    allowed: folder => folder === 'files' || folder === 'store',
  },
  {
    // src/engine/files/read-file.ts rejects pipes and devices, and limits the size.
    what: 'reads files by name',
    call: /\breadFile(Sync)?\b/,
    allowed: folder => folder === 'files',
  },
  {
    // On Node 20 they may be garbage-collected before they abort. Use src/basics/within.ts.
    what: 'uses AbortSignal.any and AbortSignal.timeout',
    call: /\bAbortSignal\s*\.\s*(any|timeout)\b(?!`)/,
    allowed: () => false,
  },
  {
    // These folders use the clock and the random values of the sandbox.
    what: 'uses the real clock and random numbers',
    call: /\bwallClock\b|\bMath\.random\b/,
    allowed: folder => !['operations', 'resources', 'scenarios', 'api'].includes(folder),
  },
  {
    // A test in the same process may replace the globals. src/basics/real-time.ts has the originals.
    what: 'uses the global Date',
    call: /\bDate\.now\b|\bnew Date\(\)/,
    allowed: folder => ['basics', 'cli', 'dashboard'].includes(folder),
  },
]

const violations = (find: (source: Source) => string[]) =>
  sources.flatMap(source => find(source).map(what => `${source.file}: ${what}`))

describe('The source', () => {
  it('has exactly the folders that CONTRIBUTING.md lists', () => {
    expect(readdirSync(join(root, 'src')).sort()).toEqual([...FOLDERS].sort())
  })

  it('has every file that CONTRIBUTING.md names', () => {
    const paths = [...contributing.matchAll(/`((?:src|test|docs)\/[^`]*)`/g)].map(([, path]) => path!)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
  })

  it.each([
    ['src/resources', 'index.ts', /= (record|collection|module|entries)\(/],
    ['src/scenarios/faults', 'index.ts', /export/],
    ['src/control/routes', '../app.ts', /export/],
  ])('lists every declaration of %s in %s', (folder, list, declares) => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map(file => file.replaceAll('\\', '/'))
      .filter(file => file.endsWith('.ts') && file !== list)
      .filter(file => declares.test(readFileSync(join(root, folder, file), 'utf8')))
    const index = readFileSync(join(root, folder, list), 'utf8')
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter(file => !index.includes(`/${file}'`))).toEqual([])
  })

  it('has no file over 250 lines except tables, and few files of up to 25 lines', () => {
    const written = sources.filter(({ generated }) => !generated)
    const isLong = ({ file, lines }: Source) => lines > 250 && !TABLES.includes(file)
    expect(written.filter(isLong).map(({ file }) => file)).toEqual([])
    expect(written.filter(({ lines }) => lines <= 25).length).toBeLessThanOrEqual(40)
  })

  it('imports only from folders listed before the importing folder', () => {
    const found = violations(({ folder, imports }) =>
      imports
        .filter(({ folder: other }) => {
          if (other === undefined || other === folder) return false
          const independent = INDEPENDENT.includes(folder) && INDEPENDENT.includes(other)
          return independent || FOLDERS.indexOf(other) > FOLDERS.indexOf(folder)
        })
        .map(({ from }) => `imports ${from}`),
    )
    expect(found).toEqual([])
  })

  it('lets the dashboard import values only from modules of basics and contract that run in a browser', () => {
    const reached = new Set(sources.filter(({ folder }) => folder === 'dashboard').map(({ file }) => file))
    const found: string[] = []
    for (const file of reached) {
      const { folder, text, imports } = sources.find(source => source.file === file)!
      if (!['dashboard', 'basics', 'contract'].includes(folder)) found.push(`${file}: in another folder`)
      for (const { from } of imports.filter(({ type }) => !type)) {
        if (from.startsWith('.') && /\.tsx?$/.test(from)) reached.add(posix.join(dirname(file), from))
        else if (folder !== 'dashboard' || from.startsWith('node:')) found.push(`${file}: imports ${from}`)
      }
      if (folder !== 'dashboard' && /\b(Buffer|process)\b/.test(text)) found.push(`${file}: needs Node`)
    }
    expect(found).toEqual([])
    expect(reached).toContain('contract/names.ts')
  })

  it('lets mcp reach the simulator only over HTTP', () => {
    const allowed = ['mcp', 'basics', 'contract', 'files', 'client']
    const found = violations(({ folder, imports }) =>
      folder !== 'mcp'
        ? []
        : imports
            .filter(({ folder: other, type }) => !type && ![undefined, ...allowed].includes(other))
            .map(({ from }) => `imports ${from}`),
    )
    expect(found).toEqual([])
  })

  it('has no import cycles between files, including type imports', () => {
    const known = new Map(sources.map(source => [source.file, source]))
    const done = new Set<string>()
    const cycles: string[] = []
    const walk = (file: string, path: string[]) => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (path.includes(file) || done.has(file)) return
      for (const { from } of known.get(file)?.imports ?? [])
        if (from.startsWith('.')) walk(posix.join(dirname(file), from), [...path, file])
      done.add(file)
    }
    for (const { file } of sources) walk(file, [])
    expect(cycles).toEqual([])
  })

  it('has no state in modules, and caches only with src/basics/memoize.ts', () => {
    const found = violations(({ folder, file, text }) =>
      // The dashboard is a separate application.
      folder === 'dashboard'
        ? []
        : Array.from(text.matchAll(MODULE_STATE), ([, changed, filled]) => (changed ?? filled)!).filter(
            name => !PROCESS_STATE[file]?.includes(name),
          ),
    )
    expect(found).toEqual([])
  })

  it.each(Object.entries(OWNERS))('imports %s only in %s', (name, folders) => {
    const isPackage = (from: string) => from === name || from.startsWith(`${name}/`)
    const found = violations(({ folder, imports }) =>
      folders.includes(folder)
        ? []
        : imports.filter(({ from }) => isPackage(from)).map(({ from }) => `imports ${from}`),
    )
    expect(found).toEqual([])
  })

  it('imports the timers it uses, except in cli and dashboard', () => {
    const found = violations(({ folder, text }) =>
      ['cli', 'dashboard'].includes(folder)
        ? []
        : ['setTimeout', 'setInterval', 'setImmediate'].filter(
            name =>
              new RegExp(`\\b${name}\\(`).test(text) && !new RegExp(`\\{[^}]*\\b${name}\\b[^}]*\\} from`).test(text),
          ),
    )
    expect(found).toEqual([])
  })

  it.each(RESTRICTED_CALLS)('$what only in the allowed folders', ({ call, allowed }) => {
    expect(violations(({ folder, text }) => (allowed(folder) ? [] : (call.exec(text)?.slice(0, 1) ?? [])))).toEqual([])
  })
})

/** Folders of tests without a folder in src. */
const TEST_FOLDERS = ['contract', 'clients', 'bench', 'mutation', 'packaging', 'support']

const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .map(file => ({ file, text: readFileSync(join(root, 'test', file), 'utf8') }))

describe('Tests', () => {
  it('are in folders named after folders of src, or in a listed one', () => {
    const folders = readdirSync(join(root, 'test'))
    expect(folders.filter(folder => ![...FOLDERS, ...TEST_FOLDERS].includes(folder))).toEqual([])
  })

  it('have .long., .sampled. or .hostile. in their file name if, and only if, they do more in npm run test:long', () => {
    const wrong = tests.filter(({ file, text }) => {
      const doesMore = /\b(LONG|LONG_MS|samples)\b/.test(text)
      return doesMore ? !/\.(long|sampled|hostile)\./.test(file) : /\.(long|sampled)\./.test(file)
    })
    expect(wrong.filter(({ file }) => file !== 'contract/layers.test.ts').map(({ file }) => file)).toEqual([])
  })

  it('contain no skip, todo or only', () => {
    const off = tests.filter(({ text }) => /^\s*(describe|it)\.(skip|todo|only)\b/m.test(text))
    expect(off.map(({ file }) => file)).toEqual([])
  })
})
