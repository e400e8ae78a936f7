import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { LONG } from '../support/long.ts'
import { live, open, skipped, startFor } from './page.ts'

const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

async function violations(page: Page, which: object): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...which })
  const found: Violation[] = await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`)
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

/** A view, text that appears when it is ready, an action, and text that appears when that is done. */
type Stop = [hash: string, shown: string, act?: (page: Page) => Promise<unknown>, leadsTo?: string]

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const STOPS: Stop[] = [
  ['#/overview', 'Point a client here'],
  ['#/resources/ip_policies/ipp_office', 'Used by'],
  [
    '#/resources/https_edge_routes/new/edghts_web',
    'POST /edges/https/edghts_web/routes',
    page => page.getByLabel('request_headers').check(),
    'one per line',
  ],
  ['#/requests/{id}', 'Create rule'],
  ['#/console?operation=create_ip_policy_rule', '/ip_policy_rules', press(/^Send$/), 'Show in request log'],
  ['#/report', 'Slowest requests'],
  ['#/scenario', '✓ Valid, 3 rules.'],
  [
    '#/edges/https_edges',
    'X-Edge: edgesim',
    async page => {
      const edge = page.getByRole('article', { name: 'edghts_busy' })
      await edge.getByText('Why').click()
      await edge.getByText('Check a request').click()
      await edge.getByRole('button', { name: 'Check', exact: true }).click()
    },
    'Headers sent to the upstream',
  ],
  ['#/assumptions', 'What if the version header is missing?'],
]

/** Similar to other views, so only in the long tests. */
const ALIKE: Stop[] = [
  ['#/resources/api_keys', '1–3 of 3'],
  [
    '#/resources/ip_policies?again',
    'ipp_local',
    async page => {
      await page.keyboard.press('/')
      await page.getByPlaceholder('Find a resource type').fill('bot_ci')
    },
    'Bot users',
  ],
  [
    '#/resources/ip_policies/ipp_office?again',
    'Add rule',
    // Rejected because the policy is used, or by the scenario.
    async page => {
      await press('Delete…')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alert').waitFor()
    },
  ],
  ['#/resources/ip_restrictions/new', 'POST /ip_restrictions'],
  [
    '#/resources/api_keys?again',
    '1–3 of 3',
    async page => {
      await page.getByLabel('Select all rows on this page').check()
      await press('Delete 3…')(page)
    },
    '/api_keys/… for each',
  ],
  [
    '#/resources/endpoints/new',
    'POST /endpoints',
    async page => {
      await page.getByLabel(/^description/).fill('not saved')
      await press(/^Create$/)(page)
    },
    'Please fill out this field.',
  ],
  ['#/resources/tcp_edges/edgtcp_database', 'Show in Edges', press(/^Edit$/), 'An update cannot remove a module'],
  ['#/resources/users/new', 'The API has no operation for this'],
  ['#/requests', '/api_keys/ak_nowhere'],
  [
    '#/requests/{id}?compare',
    'Create rule',
    async page => {
      await press('Compare…')(page)
      await page.getByRole('combobox', { name: 'Other request' }).click()
      await page.getByRole('dialog').getByRole('option').first().click()
      await page.getByLabel(/^Show all values/).check()
    },
    'request.headers.host',
  ],
  ['#/overview?sandboxes', 'Point a client here', press(/^Sandbox:/), 'Each sandbox is a separate account'],
  ['#/requests?by=operation&sandboxes=all', 'p95'],
  [
    '#/console?path=/api_keys',
    'Any path',
    async page => {
      await page.getByText('Operation', { exact: true }).first().click()
      await page.getByRole('combobox', { name: 'Operation' }).click()
    },
    'create_bot_user',
  ],
  ['#/scenario?new', 'Edit as YAML', press('New rule…'), 'Add to scenario'],
  ['#/scenario?again', 'Edit as YAML', page => page.getByLabel('Scenario YAML').fill('name: ['), 'Line 1'],
  ['#/edges/tcp_edges', 'edgtcp_database', press('Edit the IP restriction module of edgtcp_database'), 'Save'],
  ['#/time', 'kept', press('Reset…'), 'to their initial values'],
  ['#/time?compare', 'kept', press(/^Compare/), 'Compare states'],
  ['#/overview?keys', 'Point a client here', page => page.keyboard.press('?'), 'Show keyboard shortcuts'],
  ['#/overview?sandbox=nowhere', 'Sandbox "nowhere" not found'],
]

const SHOWN = LONG ? [...STOPS, ...ALIKE] : STOPS
/** The views with the most colours. */
const COLOURED = STOPS.filter(([hash]) => /^#\/(overview|edges\/https_edges)$/.test(hash))

describe.skipIf(skipped)('Accessibility', async () => {
  const simulator = await startFor({ scenario: 'flaky-writes' })
  await simulator.call('GET', '/api_keys')
  await simulator.call('PUT', '/_sim/snapshots/kept')
  const { headers } = await simulator.call('GET', '/api_keys/ak_nowhere')
  // An edge to the simulator itself, and a request through it.
  await simulator.call('PUT', '/_sim/db/https_edges/edghts_busy', { hostports: ['http://127.0.0.1:0'] })
  await simulator.call('PUT', '/_sim/db/https_edge_routes/edghtsrt_busy', {
    edge_id: 'edghts_busy',
    match_type: 'path_prefix',
    match: '/',
    upstream: simulator.url,
    request_headers: { enabled: true, add: { 'X-Busy': 'yes' }, remove: ['accept'] },
  })
  const { listeners } = (await simulator.call('GET', '/_sim/traffic')).body
  await (await fetch(listeners[0].url)).text()

  // Dark mode changes only colours, so a few views are enough. The long tests add a narrow window.
  it.each([
    ['light', 1280, {}, SHOWN],
    ['dark', 1280, LONG ? {} : { runOnly: ['color-contrast'] }, LONG ? SHOWN : COLOURED],
    ...(LONG ? ([['light', 390, {}, SHOWN]] as const) : []),
  ] as const)(
    'axe finds no violations in %s mode at %i pixels',
    async (theme, width, which, stops) => {
      const page = await open(simulator.url, '', { theme, width })
      await live(page)
      await page.evaluate(axe)
      for (const [hash, shown, act, leadsTo] of stops) {
        // An unknown view in between, because the previous view may contain the same text.
        for (const [to, text] of [
          ['#/nowhere', 'Unknown view "nowhere"'],
          [hash.replace('{id}', headers.get('edgesim-operation-id')!), shown],
        ] as const) {
          await page.evaluate(to => location.assign(to), to)
          await page.locator('#main').getByText(text).first().waitFor()
        }
        await act?.(page)
        if (leadsTo) await page.getByText(leadsTo).first().waitFor()
        expect(await violations(page, which), `${hash} ${leadsTo ?? shown}`).toEqual([])
        await page.keyboard.press('Escape')
        await page.evaluate(() => sessionStorage.clear())
      }
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    },
    600_000,
  )
})
