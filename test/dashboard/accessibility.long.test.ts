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

interface Stop {
  hash: string
  /** Text that appears when the view is ready. */
  shown: string
  /** An action, and text that appears when it is done. */
  act?(page: Page): Promise<unknown>
  leadsTo?: string
  /** Similar to another view, so only in the long tests. */
  alike?: true
}

const STOPS: Stop[] = [
  { hash: '#/overview', shown: 'Point a client here' },
  { hash: '#/resources/api_keys', shown: '1–3 of 3', alike: true },
  { hash: '#/resources/ip_policies/ipp_office', shown: 'Used by' },
  {
    hash: '#/resources/ip_policies?again',
    alike: true,
    shown: 'ipp_local',
    act: async page => {
      await page.keyboard.press('/')
      await page.getByPlaceholder('Find a resource type').fill('bot_ci')
    },
    leadsTo: 'Bot users',
  },
  {
    hash: '#/resources/ip_policies/ipp_office?again',
    alike: true,
    shown: 'Add rule',
    // Rejected because the policy is used, or by the scenario.
    act: async page => {
      await page.getByRole('button', { name: 'Delete…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  { hash: '#/resources/ip_restrictions/new', shown: 'POST /ip_restrictions', alike: true },
  {
    hash: '#/resources/api_keys?again',
    alike: true,
    shown: '1–3 of 3',
    act: async page => {
      await page.getByLabel('Select all rows on this page').check()
      await page.getByRole('button', { name: 'Delete 3…' }).click()
    },
    leadsTo: '/api_keys/… for each',
  },
  {
    hash: '#/resources/endpoints/new',
    alike: true,
    shown: 'POST /endpoints',
    act: async page => {
      await page.getByLabel(/^description/).fill('not saved')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
    },
    leadsTo: 'Please fill out this field.',
  },
  {
    hash: '#/resources/https_edge_routes/new/edghts_web',
    shown: 'POST /edges/https/edghts_web/routes',
    act: page => page.getByLabel('request_headers').check(),
    leadsTo: 'one per line',
  },
  {
    hash: '#/resources/tcp_edges/edgtcp_database',
    alike: true,
    shown: 'Show in Edges',
    act: page => page.getByRole('button', { name: 'Edit', exact: true }).click(),
    leadsTo: 'An update cannot remove a module',
  },
  { hash: '#/resources/users/new', shown: 'The API has no operation for this', alike: true },
  { hash: '#/requests', shown: '/api_keys/ak_nowhere', alike: true },
  { hash: '#/requests/{id}', shown: 'Create rule' },
  {
    hash: '#/requests/{id}?compare',
    alike: true,
    shown: 'Create rule',
    act: async page => {
      await page.getByRole('button', { name: 'Compare…' }).click()
      await page.getByRole('combobox', { name: 'Other request' }).click()
      await page.getByRole('dialog').getByRole('option').first().click()
      await page.getByLabel(/^Show all values/).check()
    },
    leadsTo: 'request.headers.host',
  },
  {
    hash: '#/overview?sandboxes',
    alike: true,
    shown: 'Point a client here',
    act: page => page.getByRole('button', { name: /^Sandbox:/ }).click(),
    leadsTo: 'Each sandbox is a separate account',
  },
  { hash: '#/requests?by=operation&sandboxes=all', shown: 'p95', alike: true },
  {
    hash: '#/console?operation=create_ip_policy_rule',
    shown: '/ip_policy_rules',
    act: page => page.getByRole('button', { name: 'Send', exact: true }).click(),
    leadsTo: 'Show in request log',
  },
  {
    hash: '#/console?path=/api_keys',
    alike: true,
    shown: 'Any path',
    act: async page => {
      await page.getByText('Operation', { exact: true }).first().click()
      await page.getByRole('combobox', { name: 'Operation' }).click()
    },
    leadsTo: 'create_bot_user',
  },
  { hash: '#/report', shown: 'Slowest requests' },
  { hash: '#/scenario', shown: '✓ Valid, 3 rules.' },
  {
    hash: '#/scenario?new',
    alike: true,
    shown: 'Edit as YAML',
    act: page => page.getByRole('button', { name: 'New rule…' }).click(),
    leadsTo: 'Add to scenario',
  },
  {
    hash: '#/scenario?again',
    alike: true,
    shown: 'Edit as YAML',
    act: page => page.getByLabel('Scenario YAML').fill('name: ['),
    leadsTo: 'Line 1',
  },
  {
    hash: '#/edges/https_edges',
    shown: 'X-Edge: edgesim',
    act: async page => {
      const edge = page.getByRole('article', { name: 'edghts_busy' })
      await edge.getByText('Why').click()
      await edge.getByText('Check a request').click()
      await edge.getByRole('button', { name: 'Check', exact: true }).click()
    },
    leadsTo: 'Headers sent to the upstream',
  },
  {
    hash: '#/edges/tcp_edges',
    alike: true,
    shown: 'edgtcp_database',
    act: page => page.getByRole('button', { name: 'Edit the IP restriction module of edgtcp_database' }).click(),
    leadsTo: 'Save',
  },
  {
    hash: '#/time',
    alike: true,
    shown: 'kept',
    act: page => page.getByRole('button', { name: 'Reset…' }).click(),
    leadsTo: 'to their initial values',
  },
  {
    hash: '#/time?compare',
    alike: true,
    shown: 'kept',
    act: page =>
      page
        .getByRole('button', { name: /^Compare/ })
        .first()
        .click(),
    leadsTo: 'Compare states',
  },
  {
    hash: '#/overview?keys',
    alike: true,
    shown: 'Point a client here',
    act: page => page.keyboard.press('?'),
    leadsTo: 'Show keyboard shortcuts',
  },
  { hash: '#/assumptions', shown: 'What if the version header is missing?' },
  { hash: '#/overview?sandbox=nowhere', shown: 'Sandbox "nowhere" not found', alike: true },
]

const only = (pattern: RegExp) => STOPS.filter(({ hash }) => pattern.test(hash))
/** The views with the most colours. */
const COLOURED = only(/^#\/(overview|edges\/https_edges)$/)

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
    ['light', 1280, {}, LONG ? STOPS : STOPS.filter(({ alike }) => !alike)],
    ['dark', 1280, LONG ? {} : { runOnly: ['color-contrast'] }, LONG ? STOPS : COLOURED],
    ...(LONG ? ([['light', 390, {}, STOPS]] as const) : []),
  ] as const)(
    'axe finds no violations in %s mode at %i pixels',
    async (theme, width, which, stops) => {
      const page = await open(simulator.url, '', { theme, width })
      await live(page)
      await page.evaluate(axe)
      for (const { hash, shown, act, leadsTo } of stops) {
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

  it('arrow keys move between table rows', async () => {
    const page = await open(simulator.url, '#/resources/api_keys?sort=id')
    await page.getByRole('link', { name: 'ak_admin' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('ak_ci')
    await page.keyboard.press('Enter')
    await page.locator('.detail-head', { hasText: 'ak_ci' }).waitFor()
  })
})
