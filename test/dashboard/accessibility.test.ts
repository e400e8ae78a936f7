import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { live, open, skipped, startFor } from './page.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

async function violations(page: Page): Promise<string[]> {
  const found: Violation[] = await page.evaluate('axe.run().then(({ violations }) => violations)')
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

/** Each view, and what opens in it: where to go, what shows that it is there, what to do first. */
const STOPS: [hash: string, shown: string, act?: (page: Page) => Promise<unknown>][] = [
  ['#/overview', 'Point a client here'],
  ['#/resources/api_keys', '1–3 of 3'],
  ['#/resources/ip_policies/ipp_office', 'Used by'],
  ['#/resources/ip_restrictions/new', 'POST /ip_restrictions'],
  ['#/resources/users/new', 'Straight into the state'],
  ['#/requests', '/api_keys/ak_nowhere'],
  ['#/requests/{id}', 'Turn into a rule'],
  ['#/scenario', '✓ Valid, 3 rules.'],
  ['#/scenario', 'Line 1', page => page.getByLabel('The scenario as YAML').fill('name: [')],
  ['#/edges/https_edges', 'X-Edge: edgesim'],
  ['#/edges/tcp_edges', 'Save', page => page.getByRole('button', { name: 'Edit', exact: false }).first().click()],
  ['#/time', 'before the last start', page => page.getByRole('button', { name: 'Reset…' }).click()],
  ['#/assumptions', 'What happens without the version header?'],
  ['#/overview?sandbox=nowhere', 'There is no sandbox'],
]

describe.skipIf(skipped)('Everybody can use it', async () => {
  const simulator = await startFor({ scenario: 'flaky-writes' })
  await simulator.call('GET', '/api_keys')
  await simulator.call('PUT', '/_sim/snapshots/kept')
  const { headers } = await simulator.call('GET', '/api_keys/ak_nowhere')

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)('axe finds nothing in %s at %i pixels', async (theme, width) => {
    const page = await open(simulator.url, '', { theme, width })
    await live(page)
    await page.evaluate(axe)
    // In a narrow window only the layout differs: one stop a view will do.
    const stops =
      width < 1000
        ? STOPS.filter(
            ([hash], i) => STOPS.findIndex(([other]) => other.startsWith(hash.split('/', 2).join('/'))) === i,
          )
        : STOPS
    for (const [hash, shown, act] of stops) {
      await page.evaluate(to => location.assign(to), hash.replace('{id}', headers.get('edgesim-operation-id')!))
      await act?.(page)
      if (shown !== 'before the last start') await page.getByText(shown).first().waitFor()
      expect(await violations(page), `${hash} ${shown}`).toEqual([])
      await page.keyboard.press('Escape')
      await page.evaluate(() => sessionStorage.clear())
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })

  it('walks a table with the arrow keys', async () => {
    const page = await open(simulator.url, '#/resources/api_keys?sort=id')
    await page.getByRole('link', { name: 'ak_admin' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('ak_ci')
    await page.keyboard.press('Enter')
    await page.waitForURL(/api_keys\/ak_ci/)
  })
})
