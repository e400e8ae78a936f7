import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Locator, type Page } from 'playwright'
import { expect, inject, TestRunner } from 'vitest'
import type { SimulatorOptions } from '../../src/simulator/options/options.ts'
import { afterwards, root } from '../support/afterwards.ts'
import { callsOf } from '../support/http.ts'

export const skipped = inject('browser') === null

interface Look {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** Runs before any script, in a separate browser context. */
  prepare?(page: Page): Promise<unknown>
}

const BUILT = pathToFileURL(join(root, 'dist/index.js')).href

let browser: Promise<Browser> | undefined

/** Open blank pages, by look, to reuse their contexts. This halves the CPU time to load the dashboard. */
const free = new Map<string, Page[]>()

function freeFor(look: Look): Page[] {
  const name = JSON.stringify(look)
  if (!free.has(name)) free.set(name, [])
  return free.get(name)!
}

async function newContext({ width = 1280, height = 800, theme = 'light' }: Look) {
  browser ??= chromium.connect(inject('browser')!)
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(120_000)
  if (process.env.EDGESIM_SLOW_PAGE) await context.addInitScript(delayed, process.env.EDGESIM_SLOW_PAGE)
  return context
}

/** Runs before any script, and delays what it waits for by 200 ms. See scripts/slow-page.js. */
function delayed(what: string) {
  const ms = 200
  const { setTimeout: later, clearTimeout, fetch, requestAnimationFrame: nextFrame, addEventListener: listen } = window
  if (what === 'fetch')
    window.fetch = async (...args) => {
      await new Promise(resolve => later(resolve, ms))
      return fetch(...args)
    }
  else if (what === 'frames') {
    window.requestAnimationFrame = callback => later(() => nextFrame(callback), ms) as unknown as number
    window.cancelAnimationFrame = clearTimeout
  } else if (what === 'hashchange')
    window.addEventListener = (type: string, listener: unknown, options?: boolean | AddEventListenerOptions) => {
      const slow = type === 'hashchange' || type === 'popstate'
      const call = listener as EventListener
      listen.call(window, type, slow ? event => later(call, ms, event) : call, options)
    }
  else throw new Error(`EDGESIM_SLOW_PAGE is hashchange, frames or fetch, not ${what}.`)
}

const hasFailed = () => TestRunner.getCurrentTest()?.result?.state === 'fail'

async function report(page: Page) {
  const shown = await page
    .locator('body')
    .ariaSnapshot({ timeout: 30_000 })
    .catch(error => `Not to be read: ${error.message}`)
  console.error(`The page at ${page.url()} showed:\n${shown}`)
}

/** Clears stored data for the next test. A context that cannot be cleared is not reused. */
async function clear(page: Page, look: Look, blank?: Page) {
  const context = page.context()
  try {
    await page.evaluate(() => localStorage.clear())
  } catch {
    return context.close()
  }
  const stays = blank ?? (await context.newPage())
  await Promise.all(context.pages().map(each => each === stays || each.close()))
  freeFor(look).push(stays)
}

export const open = (url: string, hash = '', how: Look = {}) => openAt(`${url}/_sim/${hash}`, how)

/** Opens a page without data of other tests. All workers share one browser. */
export async function openAt(url: string, { prepare, ...look }: Look = {}) {
  const blank = prepare ? undefined : freeFor(look).pop()
  const context = blank?.context() ?? (await newContext(look))
  const page = await context.newPage()
  page.on('pageerror', error => console.error(`The page failed: ${error.stack}`))
  page.on('crash', () => console.error('The page crashed.'))
  afterwards(async () => {
    if (hasFailed()) await report(page)
    if (hasFailed() || prepare) await context.close()
    else await clear(page, look, blank)
  })
  await prepare?.(page)
  await page.goto(url)
  return page
}

/** Starts a simulator from dist/, with the built dashboard. */
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

/** Starts a simulator, and opens its dashboard. */
export async function openNew(hash = '', options?: SimulatorOptions, look?: Look) {
  const simulator = await startFor(options)
  return { ...simulator, page: await open(simulator.url, hash, look) }
}

/** The details next to a list. */
export const detail = (page: Page) => page.getByRole('complementary')

export const isFocused = (locator: Locator) =>
  expect.poll(() => locator.evaluate(element => element === document.activeElement)).toBe(true)

/** Presses a button, and reads the JSON file that it downloads. */
export async function downloadFrom(page: Page, button: string) {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await downloading
  return { name: file.suggestedFilename(), content: await json(await file.createReadStream()) }
}

export const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

/** Presses keys without events, timers or frames in between. Returns whether the focus matches the selector. */
export const pressAll = (page: Page, keys: string[], selector = '*') =>
  page.evaluate(
    async ([keys, selector]) => {
      for (const key of keys) {
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        await null
      }
      return document.activeElement!.matches(selector)
    },
    [keys, selector] as const,
  )

/** Waits until the text fulfills the expectation. */
export const textIn = (locator: Locator) => expect.poll(() => locator.innerText())
export const textsIn = (locator: Locator) => expect.poll(() => locator.allInnerTexts())

/** The text of a code editor. */
export const textOf = (editor: Locator) =>
  editor.evaluate(content => Array.from(content.querySelectorAll('.cm-line'), line => line.textContent).join('\n'))
