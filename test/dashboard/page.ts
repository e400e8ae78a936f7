import { type Browser, chromium, type Page } from 'playwright'
import { inject } from 'vitest'
import type { SimulatorOptions } from '../../src/options.ts'
import { afterwards } from '../support/afterwards.ts'
import { type Simulated, simulate } from '../support/simulate.ts'

export const skipped = inject('browser') === null

interface Look {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Before anything of the page runs. */
  prepare?(page: Page): Promise<unknown>
}

let browser: Promise<Browser> | undefined

/** A page in a context of its own, closed after its test. All workers share one browser. */
export async function open(
  url: string,
  hash = '',
  { theme = 'light', width = 1280, height = 800, prepare }: Look = {},
) {
  browser ??= chromium.connect(inject('browser')!)
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  afterwards(() => context.close())
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  await prepare?.(page)
  await page.goto(`${url}/_sim/${hash}`)
  return page
}

/** A simulator of one's own. */
export const startFor = (options: SimulatorOptions = {}): Promise<Simulated> => simulate(options)

export const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

export const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
