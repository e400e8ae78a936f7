import { chmodSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { service } from '../ngrok/real-api/probing.ts'
import { folderWith, root } from '../support/afterwards.ts'
import { bin, launch } from '../support/as-process.ts'

interface Workflow {
  jobs: { probe: { steps: { run?: string }[] } }
}

const [, text] = /## Drift detection[\s\S]*?```yaml\n([\s\S]*?)```/.exec(
  readFileSync(join(root, 'docs/ci.md'), 'utf8'),
)!
// The first step is npm ci.
const [, probe, sweep] = (parse(text!) as Workflow).jobs.probe.steps.flatMap(({ run }) => run ?? []) as string[]

describe('The weekly job of docs/ci.md', () => {
  it('opens an issue with the report only if the API has drifted', async () => {
    const { url, call, state } = await service()
    const folder = folderWith({
      // A simulator replaces the real API, without delays.
      'bin/npx': `#!/bin/sh\nshift\nexec "${process.execPath}" "${bin}" "$@" --url ${url} --pace 60000\n`,
      'bin/gh': '#!/bin/sh\necho "$@" >> issues.txt\ncat report.txt >> issues.txt\n',
    })
    for (const name of ['npx', 'gh']) chmodSync(join(folder, 'bin', name), 0o755)
    const run = (script: string) =>
      launch([], {
        command: ['sh', '-ec', script],
        cwd: folder,
        env: { EDGESIM_API_KEY: 'sim_admin', PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` },
      }).ended
    const before = await state()
    expect((await run(probe!)).code).toBe(0)
    await call('PUT', '/_sim/scenario', { assume: { page_order: 'oldest_first' } })
    expect((await run(probe!)).code).toBe(3)
    const issues = readFileSync(join(folder, 'issues.txt'), 'utf8')
    expect(issues).toMatch(/^issue create --title The real API has changed/)
    expect(issues).toContain('page_order: was newest_first, now oldest_first')
    expect((await run(sweep!)).code).toBe(0)
    expect(await state()).toBe(before)
  })
})
