import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright'
import { inject, TestRunner } from 'vitest'
import type { SimulatorOptions } from '../../src/options/options.ts'
import { afterwards, root } from '../support/afterwards.ts'
import { callsOf } from '../support/http.ts'

export const skipped = inject('browser') === null

interface Look {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Runs before any script of the page. */
  prepare?(page: Page): Promise<unknown>
}

const BUILT = pathToFileURL(join(root, 'dist/index.js')).href

let browser: Promise<Browser> | undefined

/** Browser pages to use again, by their look: to load into one takes half as long as to open one. */
const free = new Map<string, Page[]>()

async function newPage({ theme = 'light', width = 1280, height = 800 }: Look) {
  browser ??= chromium.connect(inject('browser')!)
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  return page
}

/** Makes the page ready for the next test. That of a failed test is closed. */
async function clear(page: Page, look: string) {
  if (TestRunner.getCurrentTest()?.result?.state === 'fail') return page.context().close()
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto('about:blank')
  free.get(look)!.push(page)
}

/** The page of a simulator. */
export const open = (url: string, hash = '', how: Look = {}) => openAt(`${url}/_sim/${hash}`, how)

/** A page without traces of other tests. All workers share one browser. */
export async function openAt(url: string, { prepare, ...how }: Look = {}) {
  const look = JSON.stringify(how)
  if (!free.has(look)) free.set(look, [])
  const page = (!prepare && free.get(look)!.pop()) || (await newPage(how))
  afterwards(() => (prepare ? page.context().close() : clear(page, look)))
  await prepare?.(page)
  await page.goto(url)
  return page
}

/** A simulator of the build in dist/, which has the built page. */
export async function startFor(options: SimulatorOptions = {}) {
  const { startSimulator }: typeof import('../../src/index.ts') = await import(BUILT)
  const simulator = await startSimulator(options)
  afterwards(() => simulator.close())
  const { url, token } = simulator
  return {
    url,
    port: Number(new URL(url).port),
    close: () => simulator.close(),
    ...callsOf({ url, token, vendor: options.vendor }),
  }
}

export const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
