import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright'
import { inject, TestRunner } from 'vitest'
import type { SimulatorOptions } from '../../src/options/options.ts'
import { afterwards, root } from '../support/afterwards.ts'
import { callsOf } from '../support/call.ts'

export const skipped = inject('browser') === null

interface Look {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Before anything of the page runs. */
  prepare?(page: Page): Promise<unknown>
}

const BUILT = pathToFileURL(join(root, 'dist/index.js')).href

let browser: Promise<Browser> | undefined

/** Pages that are free again, by how they look: to load a page into one takes half as long as to make one. */
const free = new Map<string, Page[]>()

async function newPage({ theme = 'light', width = 1280, height = 800 }: Look) {
  browser ??= chromium.connect(inject('browser')!)
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  return page
}

/** Fit for the next test; only what a test has left well can be. */
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

/** A page with nothing in it of what other tests did. All workers share one browser. */
export async function openAt(url: string, { prepare, ...how }: Look = {}) {
  const look = JSON.stringify(how)
  if (!free.has(look)) free.set(look, [])
  const page = (!prepare && free.get(look)!.pop()) || (await newPage(how))
  afterwards(() => (prepare ? page.context().close() : clear(page, look)))
  await prepare?.(page)
  await page.goto(url)
  return page
}

/** A simulator of one's own, as it was built: its page was, too. */
export async function startFor(options: SimulatorOptions = {}) {
  const { startSimulator }: typeof import('../../src/index.ts') = await import(BUILT)
  const simulator = await startSimulator(options)
  afterwards(() => simulator.close())
  const { url, token } = simulator
  return { url, port: Number(new URL(url).port), ...callsOf({ url, token, vendor: options.vendor }) }
}

export const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
