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

function freeFor(look: Look): Page[] {
  const name = JSON.stringify(look)
  if (!free.has(name)) free.set(name, [])
  return free.get(name)!
}

const sizeOf = ({ width = 1280, height = 800 }: Look) => ({ width, height })

async function newPage(look: Look) {
  browser ??= chromium.connect(inject('browser')!)
  const context = await (await browser).newContext({
    viewport: sizeOf(look),
    colorScheme: look.theme ?? 'light',
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  page.on('pageerror', error => console.error(`The page failed: ${error.stack}`))
  page.on('crash', () => console.error('The page crashed.'))
  return page
}

const hasFailed = () => TestRunner.getCurrentTest()?.result?.state === 'fail'

/** Closes the page of a failed test, and tells what was on it: a locator that found nothing says nothing about that. */
async function closeFailed(page: Page) {
  const shown = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5000 })
    .catch(error => `Not to be read: ${error.message}`)
  console.error(`The page at ${page.url()} showed:\n${shown}`)
  await page.context().close()
}

/** Makes the page ready for the next test, which may be one of another file. */
async function clear(page: Page, look: Look) {
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto('about:blank')
  await page.setViewportSize(sizeOf(look))
  freeFor(look).push(page)
}

/** The page of a simulator. */
export const open = (url: string, hash = '', how: Look = {}) => openAt(`${url}/_sim/${hash}`, how)

/** A page without traces of other tests. All workers share one browser. */
export async function openAt(url: string, { prepare, ...look }: Look = {}) {
  const page = (!prepare && freeFor(look).pop()) || (await newPage(look))
  afterwards(() => (hasFailed() ? closeFailed(page) : prepare ? page.context().close() : clear(page, look)))
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
