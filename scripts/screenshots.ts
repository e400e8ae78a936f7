import { writeFile } from 'node:fs/promises'
import { chromium } from 'playwright'
import { startSimulator } from '../src/index.ts'
import { findBrowser } from '../test/support/browser.ts'

/** Takes the README screenshot: the dashboard of a simulator that receives requests. */
const PICTURE = 'docs/images/overview.webp'
const SECONDS = 24
const MAX_PICTURE_BYTES = 80 * 1024
const simulator = await startSimulator({ port: 4600, scenario: 'flaky-writes', seed: 'screenshots' }).catch(() =>
  startSimulator({ port: 0, scenario: 'flaky-writes', seed: 'screenshots' }),
)
const { url, token } = simulator

async function call(method: string, path: string, body?: object, bearer = token) {
  const headers = {
    authorization: `Bearer ${bearer}`,
    'service-version': '2',
    'content-type': 'application/json',
    'user-agent': 'terraform-provider/1.4',
  }
  // The scenario resets some connections.
  await fetch(url + path, { method, headers, body: body && JSON.stringify(body) }).catch(() => {})
}

/** Creates and changes records, and sometimes requests an unknown record. */
async function sendRequests() {
  for (let i = 0; i < SECONDS * 4; i++) {
    await call('GET', '/api_keys?limit=20')
    await call('POST', '/api_keys', { description: `Deployment ${i + 1}`, metadata: '{"team":"payments"}' })
    const wave = Math.round(2 + 2 * Math.sin(i / 7))
    await Promise.all(Array.from({ length: wave }, () => call('GET', '/ip_restrictions')))
    if (i % 5 === 0) await call('GET', '/api_keys/ak_payments')
    if (i % 9 === 0) await call('GET', '/api_keys', undefined, 'sim_expired')
    if (i % 12 === 0) await call('POST', '/ip_restrictions', { type: 'everything' })
    if (i % 4 === 0)
      await call('PATCH', '/ip_restrictions/ipx_dashboard', { enforced: i % 8 === 0, description: `Review ${i}` })
    await new Promise(resolve => setTimeout(resolve, 250))
  }
}

/** WebP halves the size. Playwright cannot write it, but a browser can. */
async function asWebp(png: Buffer): Promise<Buffer> {
  const blank = await browser.newPage()
  const url = await blank.evaluate(async data => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob())
    const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height })
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0)
    return canvas.toDataURL('image/webp', 0.85)
  }, png.toString('base64'))
  return Buffer.from(url.split(',')[1]!, 'base64')
}

const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
await sendRequests()
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
await page.goto(`${url}/_sim/#/overview`)
await page.getByText('Live', { exact: true }).waitFor()
await page.waitForLoadState('load')
await page.locator('.latest a').first().waitFor()
const picture = await asWebp(await page.screenshot({ animations: 'disabled' }))
const size = picture.length
console.log(`${PICTURE}: ${Math.round(size / 1024)} KB`)
if (size > MAX_PICTURE_BYTES) throw new Error(`${PICTURE} is larger than ${MAX_PICTURE_BYTES / 1024} KB`)
await writeFile(PICTURE, picture)
await browser.close()
await simulator.close()
