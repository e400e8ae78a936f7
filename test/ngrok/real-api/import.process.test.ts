import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { launch } from '../../support/as-process.ts'
import { serve } from './fake.ts'
import { serveAccount } from './import-support.ts'
import { SECRET } from './rich-account.ts'

const KEY = { EDGESIM_API_KEY: `${SECRET}-account` }

/** Forwards requests to the account, but never responds for one path. */
async function slowAt(path: string, url: string) {
  let waiting!: () => void
  const reached = new Promise<void>(resolve => {
    waiting = resolve
  })
  const slow = await serve(async (req, res) => {
    if (req.url!.startsWith(path)) return waiting()
    const { authorization, 'service-version': version } = req.headers as Record<string, string>
    const response = await fetch(url + req.url, {
      headers: { authorization: authorization!, 'service-version': version! },
    })
    res.end((await response.text()).replaceAll(url, `http://${req.headers.host}`))
  })
  return { url: slow, reached }
}

describe('edgesim import', () => {
  it('stops on Ctrl-C, and prints how to resume', async () => {
    const real = await serveAccount()
    const { url, reached } = await slowAt('/ip_policies', real.url)
    const folder = folderWith()
    const args = ['import', '--url', url, '--out', 'a.yaml', '--pace', '60000', '--anonymise']
    const { child, ended } = launch(args, { cwd: folder, env: KEY })
    await reached
    child.kill('SIGINT')
    const { code, err, out } = await ended
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(
      'Progress is saved in a.progress. Run the same command again to resume.\nThe progress file is not anonymised.\nedgesim: Interrupted.\n',
    )
    expect(readdirSync(folder)).toEqual(['a.progress'])
    expect(readFileSync(join(folder, 'a.progress'), 'utf8')).not.toContain(SECRET)
  })
})
