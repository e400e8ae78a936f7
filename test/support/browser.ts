import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser's WebSocket URL for dashboard tests. Null skips them. */
    browser: string | null
  }
}

export const SKIP = 'EDGESIM_SKIP_BROWSER'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { CHROME_PATH, LOCALAPPDATA = '', PROGRAMFILES = 'C:\\Program Files' } = process.env

/** Paths of Chromium and Chrome on Linux, macOS and Windows. The headless shell is a third faster. */
const INSTALLED = [
  CHROME_PATH,
  ...'/usr/bin/chromium-headless-shell /usr/bin/chromium /usr/bin/chromium-browser'.split(' '),
  ...'/usr/bin/google-chrome /usr/bin/google-chrome-stable /snap/bin/chromium'.split(' '),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  join(PROGRAMFILES, 'Google/Chrome/Application/chrome.exe'),
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  join(LOCALAPPDATA, 'Google/Chrome/Application/chrome.exe'),
]

const run = (command: string, args: string[], env = {}) =>
  spawnSync(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  }).status === 0

const installed = () => INSTALLED.find(path => path && existsSync(path))
const ofPlaywright = () => (existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined)

function download() {
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js')
  return run(process.execPath, [cli, 'install', 'chromium']) ? ofPlaywright() : undefined
}

function fromDebian() {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return undefined
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = (name: string) => run('apt-get', ['install', '-qy', name], env)
  // Older releases have no chromium-headless-shell.
  const done = run('apt-get', ['update', '-q'], env) && (install('chromium-headless-shell') || install('chromium'))
  return done ? installed() : undefined
}

/** Ways to find a browser, cheapest first. */
const WAYS: [what: string, find: () => string | undefined][] = [
  ['installed', installed],
  ["Playwright's own", ofPlaywright],
  ["Playwright's download", download],
  ['from Debian', fromDebian],
]

export function findBrowser(): string | undefined {
  for (const [what, find] of WAYS) {
    const path = find()
    if (!path) continue
    console.log(`Browser of the dashboard tests: ${path} (${what})`)
    return path
  }
  return undefined
}

const NO_BROWSER =
  'The tests of the dashboard are skipped: there is no Chromium or Chrome, and none could be installed by Playwright ' +
  'or apt-get. Install one, or set CHROME_PATH to its path.'

const ARGS = [
  ...'--no-sandbox --disable-gpu --disable-background-networking --disable-component-update'.split(' '),
  ...'--disable-sync --no-first-run'.split(' '),
]

/** Runs once for all files, which share one browser. */
export default async function setup(project: Pick<TestProject, 'provide'>, find = findBrowser) {
  if (process.env[SKIP] === '1') {
    console.log(`${SKIP}=1: the tests of the dashboard are skipped.`)
    return project.provide('browser', null)
  }
  const executablePath = find()
  if (!executablePath) {
    if (process.env.CI === 'true') throw new Error(`${NO_BROWSER} With CI=true this is an error.`)
    console.log(NO_BROWSER)
    return project.provide('browser', null)
  }
  for (const built of ['dist/index.js', 'dist/page/index.html'])
    if (!existsSync(join(root, built))) throw new Error(`${built} is missing. Run \`npm run build\` first.`)
  const server = await chromium.launchServer({ executablePath, args: ARGS })
  project.provide('browser', server.wsEndpoint())
  return async () => {
    const { EDGESIM_BROWSER_COST: file } = process.env
    if (file) writeFileSync(file, String(cpuSecondsBelow(server.process().pid!)))
    await server.close()
  }
}

/** CPU seconds of the browser's processes (Linux only). The kernel doesn't add up the times of its renderers. */
function cpuSecondsBelow(browser: number): number {
  if (process.platform !== 'linux') return 0
  const ticks = readdirSync('/proc').map(name => {
    if (!/^\d+$/.test(name) || Number(name) === browser) return 0
    try {
      const [, , group, ...fields] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return Number(group) === browser ? fields.slice(8, 12).reduce((sum, each) => sum + Number(each), 0) : 0
    } catch {
      return 0 // It has ended.
    }
  })
  return ticks.reduce((sum, each) => sum + each, 0) / 100
}
