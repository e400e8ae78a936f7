import { describe, expect, it, vi } from 'vitest'
import setup from '../support/browser.ts'

/** The output of a run without a browser, and the values it provides to dashboard tests. */
async function runWithout(ci: string) {
  vi.stubEnv('CI', ci)
  vi.stubEnv('EDGESIM_SKIP_BROWSER', '')
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const provide = vi.fn()
  try {
    await setup({ provide }, () => undefined)
    return { provided: provide.mock.calls, printed: log.mock.calls.flat() }
  } finally {
    log.mockRestore()
    vi.unstubAllEnvs()
  }
}

describe('Without a browser, dashboard tests', () => {
  it('are skipped with an installation hint', async () => {
    const { provided, printed } = await runWithout('')
    expect(provided).toEqual([['browser', null]])
    expect(printed).toEqual([expect.stringMatching(/^The tests of the dashboard are skipped: .* set CHROME_PATH/)])
  })

  it('fail with CI=true', async () => {
    await expect(runWithout('true')).rejects.toThrow(/With CI=true this is an error\.$/)
  })
})
