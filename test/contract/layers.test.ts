import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, readFolders, readSources, type Source, topOf } from '../../scripts/layers.ts'
import { root } from '../support/afterwards.ts'

const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

const sources = readSources(root)

/** The list in CONTRIBUTING.md. A folder imports only from folders listed before it. */
const FOLDERS = readFolders(root, sources).map(({ name }) => name)

/** The folders inside a top folder. */
const insideOf = (top: string) => FOLDERS.filter(name => name.startsWith(`${top}/`))

const isIn = (folder: string, folders: readonly string[]) =>
  folders.some(each => folder === each || folder.startsWith(`${each}/`))

/** Folders that never import each other. The composition root connects them. */
const INDEPENDENT = ['server/api', 'control', 'ngrok/edges', 'dashboard']

/** The layers without a vendor, and what they may import. */
const ENGINE = ['engine', 'server']
const BELOW_API = ['basics', 'contract', ...ENGINE]

/** What only the built-in API knows: its resources, the prefixes of its ids, its documents. */
const WORDS_OF_APIS =
  /\bapi_keys?\b|ip_?(policy|policies|polic|restriction)|\bip polic|\bedges?\b|\bngrok\b|webhook|\boauth|\bsaml\b|kubernetes|docs\/api|\b(usr|bot|ak|cr|ipp|ipr|ipx|edg(tcp|tls|hts)\w*|rd|ra|ep|tn|ts|bk\w*)_\w/gi

/** The folders that may import a package. */
const OWNERS: Record<string, string[]> = {
  express: ['server/api', 'control'],
  lowdb: ['engine/store'],
  '@modelcontextprotocol/sdk': ['cli/mcp'],
  'prom-client': ['control'],
  yargs: ['cli'],
}

/** State that a process has once. Other state belongs to a simulator, and a process may run several. */
const PROCESS_STATE: Record<string, string[]> = {
  'control/metrics.ts': ['processRegistry'], // memory and CPU
  'engine/files/package.ts': ['distribution'], // the package, or the executable, which sets it first
  'engine/store/lock.ts': ['held'], // the locks of this process
}
/** A module variable that may change: `let`, or an empty collection. */
const MODULE_STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!readonly)[^=\n]+)? = (?:\[\]|\{\}|new \w*(?:Map|Set|Registry)(?:<.*>)?\(\))$)/gm

/** Stdout belongs to the protocol in cli/mcp. */
const COMMAND_LINE = ['cli', 'cli/commands', 'cli/log', 'cli/process']

const RESTRICTED_CALLS: { what: string; call: RegExp; allowed: (folder: string) => boolean }[] = [
  {
    // `testing` prints the requests of a failed test. `dashboard` generates code that prints, and biome checks its own.
    what: 'prints and exits',
    call: /\bconsole\s*\.|\bprocess\.(exit|stdout|stderr)\b/,
    allowed: folder => [...COMMAND_LINE, 'library/testing'].includes(folder) || isIn(folder, ['dashboard']),
  },
  {
    // src/engine/files/replace-file.ts follows no links and sets the file mode.
    what: 'writes files by name',
    call: /\b(writeFile|appendFile|createWriteStream)/,
    allowed: folder => folder === 'engine/files' || folder === 'engine/store',
  },
  {
    // src/engine/files/read-file.ts rejects pipes and devices, and limits the size.
    what: 'reads files by name',
    call: /\breadFile(Sync)?\b/,
    allowed: folder => folder === 'engine/files',
  },
  {
    // On Node 20 they may be garbage-collected before they abort. Use src/basics/within.ts.
    what: 'uses AbortSignal.any and AbortSignal.timeout',
    call: /\bAbortSignal\s*\.\s*(any|timeout)\b(?!`)/,
    allowed: () => false,
  },
  {
    // Only a sandbox knows its time and its random values. A database, a connection and the real API have real ones.
    what: 'uses the real clock and random numbers',
    call: /\bwallClock\b|\bMath\.random\b/,
    allowed: folder =>
      !isIn(folder, [...ENGINE, 'ngrok']) ||
      ['engine/sandbox', 'engine/store', 'server/http', 'ngrok/real-api'].includes(folder),
  },
  {
    // A test in the same process may replace the globals. src/basics/real-time.ts has the originals.
    what: 'uses the global Date',
    call: /\bDate\.now\b|\bnew Date\(\)/,
    allowed: folder => isIn(folder, ['basics', 'dashboard']) || COMMAND_LINE.includes(folder),
  },
]

const isOfBuiltIn = ({ file }: Source['imports'][number]) => file?.startsWith('ngrok/') === true

const violations = (find: (source: Source) => string[]) =>
  sources.flatMap(source => find(source).map(what => `${source.file}: ${what}`))

describe('The source', () => {
  it('has exactly the folders that CONTRIBUTING.md lists', () => {
    expect(readdirSync(join(root, 'src')).sort()).toEqual(FOLDERS.filter(name => !name.includes('/')).sort())
  })

  it.each([
    'engine',
    'server',
    'ngrok',
    'control',
    'simulator',
    'library',
    'cli',
  ])('has exactly the folders in %s that CONTRIBUTING.md lists', top => {
    const folders = new Set(sources.filter(source => source.top === top).map(({ folder }) => folder))
    folders.delete(top)
    expect([...folders].sort()).toEqual(insideOf(top).sort())
    expect(folders.size).toBeGreaterThan(0)
  })

  it('has every file that CONTRIBUTING.md names', () => {
    const paths = [...contributing.matchAll(/`((?:src|test|docs)\/[^`]*)`/g)].map(([, path]) => path!)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
  })

  it.each([
    ['src/ngrok/resources', 'index.ts', /= (record|collection|module|entries)\(/],
    ['src/engine/scenarios/faults', 'index.ts', /export/],
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

  it('imports only from folders listed before the importing folder', () => {
    const isBefore = (folder: string, other: string) => FOLDERS.indexOf(other) < FOLDERS.indexOf(folder)
    const found = violations(({ top, folder, imports }) =>
      imports
        .filter(({ file: other }) => {
          if (other === undefined) return false
          if (top !== topOf(other)) return !isBefore(top, topOf(other))
          // Files directly in a folder are its entrance and its base, so only cycles of files are forbidden to them.
          const pair = [folder, folderOf(other)]
          return pair[0] !== pair[1] && pair.every(each => insideOf(top).includes(each)) && !isBefore(folder, pair[1]!)
        })
        .map(({ from }) => `imports ${from}`),
    )
    expect(found).toEqual([])
  })

  it.each(INDEPENDENT)('lets %s import none of the other independent folders', independent => {
    const others = INDEPENDENT.filter(other => other !== independent)
    const importers = sources.filter(({ folder }) => isIn(folder, [independent]))
    expect(importers.length).toBeGreaterThan(5)
    const found = importers.flatMap(({ file, imports }) =>
      imports.filter(({ file: other }) => other && isIn(folderOf(other), others)).map(({ from }) => `${file}: ${from}`),
    )
    expect(found).toEqual([])
  })

  it('knows no folder of the engine in server/http and server/proxy, only errors, tokens and the types of rules', () => {
    const found = violations(({ folder, imports }) =>
      ['server/http', 'server/proxy'].includes(folder)
        ? imports.flatMap(({ file }) => (file && folderOf(file).startsWith('engine/') ? `imports ${file}` : []))
        : [],
    )
    expect(found).toEqual([])
  })

  it('knows no API in the engine and the server', () => {
    const found = violations(({ top, imports }) =>
      ENGINE.includes(top)
        ? imports.flatMap(({ file }) => (file && !BELOW_API.includes(topOf(file)) ? `imports ${file}` : []))
        : [],
    )
    expect(found).toEqual([])
  })

  it('names the built-in API in control, dashboard and simulator only where the default is chosen', () => {
    const outside = ['control', 'dashboard', 'simulator']
    const importers = sources.filter(({ top, imports }) => outside.includes(top) && imports.some(isOfBuiltIn))
    expect(importers.map(({ file }) => file).sort()).toEqual([
      'simulator/options/options.ts',
      'simulator/options/values.ts',
      'simulator/settings.ts',
    ])
  })

  it('has no word of an API in the engine and the server, comments included', () => {
    const files = sources.filter(({ top }) => ENGINE.includes(top)).map(({ file }) => file)
    const found = files.flatMap(file => {
      const text = readFileSync(join(root, 'src', file), 'utf8')
      return Array.from(text.matchAll(WORDS_OF_APIS), ([word]) => `${file}: ${word}`)
    })
    expect(found).toEqual([])
    expect(files.length).toBeGreaterThan(100)
  })

  it('lets the dashboard import values only from modules of basics and contract that run in a browser', () => {
    const reached = new Set(sources.filter(({ top }) => top === 'dashboard').map(({ file }) => file))
    const found: string[] = []
    for (const file of reached) {
      const { top, text, imports } = sources.find(source => source.file === file)!
      if (!['dashboard', 'basics', 'contract'].includes(top)) found.push(`${file}: in another folder`)
      for (const { from, file: other } of imports.filter(({ type }) => !type)) {
        if (other && /\.tsx?$/.test(other)) reached.add(other)
        else if (top !== 'dashboard' || from.startsWith('node:')) found.push(`${file}: imports ${from}`)
      }
      if (top !== 'dashboard' && /\b(Buffer|process)\b/.test(text)) found.push(`${file}: needs Node`)
    }
    expect(found).toEqual([])
    expect(reached).toContain('contract/names.ts')
  })

  it('lets mcp reach the simulator only over HTTP', () => {
    const allowed = ['cli/mcp', 'basics', 'contract', 'engine/files', 'library']
    const importers = sources.filter(({ folder }) => folder === 'cli/mcp')
    const found = importers.flatMap(({ file, imports }) =>
      imports
        .filter(({ file: other, type }) => !type && other && !isIn(folderOf(other), allowed))
        .map(({ from }) => `${file}: imports ${from}`),
    )
    expect(found).toEqual([])
    expect(importers.length).toBeGreaterThan(5)
  })

  it('has no import cycles between files, including type imports', () => {
    const known = new Map(sources.map(source => [source.file, source]))
    const done = new Set<string>()
    const cycles: string[] = []
    const walk = (file: string, path: string[]) => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (path.includes(file) || done.has(file)) return
      for (const { file: other } of known.get(file)?.imports ?? []) if (other) walk(other, [...path, file])
      done.add(file)
    }
    for (const { file } of sources) walk(file, [])
    expect(cycles).toEqual([])
  })

  it('has no state in modules, and caches only with src/basics/memoize.ts', () => {
    const found = violations(({ top, file, text }) =>
      // The dashboard is a separate application.
      top === 'dashboard'
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
      isIn(folder, folders) ? [] : imports.filter(({ from }) => isPackage(from)).map(({ from }) => `imports ${from}`),
    )
    expect(found).toEqual([])
  })

  it('imports the timers it uses, except in the command line and dashboard', () => {
    const found = violations(({ folder, text }) =>
      COMMAND_LINE.includes(folder) || isIn(folder, ['dashboard'])
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
const TEST_FOLDERS = ['contract', 'clients', 'bench', 'mutation', 'packaging', 'support', 'simulator/scale']

const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map(file => file.replaceAll('\\', '/'))
  .filter(file => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .map(file => ({ file, text: readFileSync(join(root, 'test', file), 'utf8') }))

describe('Tests', () => {
  it('are in folders named after folders of src, or in a listed one', () => {
    const inner = new Set(tests.map(({ file }) => folderOf(file)))
    expect([...inner].filter(folder => ![...FOLDERS, ...TEST_FOLDERS].includes(folder))).toEqual([])
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
