import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import type { SimulatorOptions } from '../../src/options.ts'
import { type Simulated, simulate } from '../support/simulate.ts'

export const skipped = inject('browser') === null

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

interface Look {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Before anything of the page runs. */
  prepare?(page: Page): Promise<unknown>
}

/** One browser for the tests of a file; each page has a context of its own, closed after its test. */
export function useBrowser() {
  let browser: Browser
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: inject('browser')!, args: ARGS })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
  })
  afterAll(() => browser?.close())

  return async function open(
    url: string,
    hash = '',
    { theme = 'light', width = 1280, height = 800, prepare }: Look = {},
  ) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme })
    contexts.push(context)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await prepare?.(page)
    await page.goto(`${url}/_sim/${hash}`)
    return page
  }
}

/** A simulator of one's own. */
export const startFor = (options: SimulatorOptions = {}): Promise<Simulated> => simulate(options)

export const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

export const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
