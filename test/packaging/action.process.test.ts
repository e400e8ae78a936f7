import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { afterwards, folderWith, root } from '../support/afterwards.ts'
import { EDGESIM, launch } from '../support/as-process.ts'
import { ask, listening } from '../support/http.ts'
import { ALL } from '../support/long.ts'

const { inputs, outputs, runs } = parse(readFileSync(join(root, 'packaging/action/action.yml'), 'utf8'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const executable = EDGESIM.at(-1)!

const SCOPES = Buffer.from('{"scp":"Actions.Other:a Actions.Results:run-1:job-2"}').toString('base64url')
const TOKEN = `head.${SCOPES}.signature`

/** A file whose connection breaks. */
const BROKEN = 'broken'

/** GitHub as the action sees it: the files of a release, and the artifacts of a run. */
async function startGithub(files: Record<string, string> = {}) {
  const uploaded: Record<string, string> = {}
  const calls: object[] = []
  const server = createServer(async (req, res) => {
    const { url = '', headers, method } = req
    const file = files[url.replace(`/someone/sim/releases/download/v${version}/`, '')]
    if (file === BROKEN) return void req.destroy()
    if (method === 'GET') return void res.writeHead(file === undefined ? 404 : 200).end(file)
    const body = await text(req)
    if (method === 'PUT') {
      uploaded[headers['content-type']!] = body
      return void res.writeHead(headers['x-ms-blob-type'] === 'BlockBlob' ? 201 : 400).end()
    }
    calls.push([url.split('.').at(-1), headers.authorization, JSON.parse(body)])
    res.end(JSON.stringify({ ok: true, signed_upload_url: `${origin}/blob` }))
  })
  const origin = `http://127.0.0.1:${await listening(server)}`
  return { origin, uploaded, calls }
}

/** A job that uses the action. Each file of the runner has lines like name=value. */
function jobWith(given: Record<string, string>, github?: { origin: string }) {
  const files = { OUTPUT: '', ENV: '', STATE: '', 'temp/.keep': '' }
  const at = folderWith({ ...files, 'workspace/mine.json': { users: [{ id: 'usr_mine' }] } })
  const values = (kind: string): Record<string, string> =>
    Object.fromEntries([...readFileSync(join(at, kind), 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, ...pair]) => pair))
  const env = {
    ...{ RUNNER_TEMP: join(at, 'temp'), RUNNER_OS: 'Linux', RUNNER_ARCH: 'X64', GITHUB_JOB: 'tests' },
    ...{ GITHUB_SERVER_URL: github?.origin ?? '', GITHUB_ACTION_REPOSITORY: 'someone/sim' },
    ...Object.fromEntries(['OUTPUT', 'ENV', 'STATE'].map(kind => [`GITHUB_${kind}`, join(at, kind)])),
    ...Object.fromEntries(
      Object.keys(inputs).map(name => [`INPUT_${name.toUpperCase()}`, given[name] ?? inputs[name].default]),
    ),
    ...(github ? { ACTIONS_RESULTS_URL: `${github.origin}/`, ACTIONS_RUNTIME_TOKEN: TOKEN } : {}),
  }
  const step = (file: string, more: Record<string, string> = {}) =>
    launch([join(root, 'packaging/action', file)], {
      command: [process.execPath],
      cwd: join(at, 'workspace'),
      env: { ...env, ...more },
    }).ended
  const stop = () =>
    step(runs.post, Object.fromEntries(Object.entries(values('STATE')).map(([name, of]) => [`STATE_${name}`, of])))
  const start = async () => {
    const ended = await step(runs.main)
    if (ended.code === 0) afterwards(stop)
    return ended
  }
  return { at, values, start, stop }
}

async function call(url: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'service-version': '2' }
  return (await fetch(`${url}/api_keys`, { headers })).status
}

describe.skipIf(process.platform === 'win32').concurrent('The action', () => {
  it('serves until the end of the job, then uploads the report and the requests', async () => {
    const github = await startGithub()
    const job = jobWith({ executable, fixture: 'default', options: '--log json' }, github)
    const { code, out } = await job.start()
    expect(code, out).toBe(0)
    const { url = '', token = '' } = job.values('OUTPUT')
    expect(Object.keys(job.values('OUTPUT'))).toEqual(Object.keys(outputs))
    expect(job.values('ENV')).toEqual({ EDGESIM_URL: url, EDGESIM_TOKEN: token, EDGESIM_EXEC: '1' })
    expect(await call(url, token)).toBe(200)
    expect(await call(url, 'unknown')).toBe(401)
    const stopped = await job.stop()
    expect(stopped, stopped.out).toMatchObject({ code: 0, err: '' })
    expect(stopped.out).toContain('Wrote 2 requests to ')
    const { 'application/json': har, 'text/html': report, ...others } = github.uploaded
    expect(others).toEqual({})
    const entries: { response: object }[] = JSON.parse(har!).log.entries
    expect(entries).toMatchObject([{ response: { status: 200 } }, { response: { status: 401 } }])
    expect(report).toContain('list_api_keys')
    const [folder] = readdirSync(join(job.at, 'temp')).filter(name => name.startsWith('edgesim-tests-'))
    const ids = { workflow_run_backend_id: 'run-1', workflow_job_run_backend_id: 'job-2' }
    const callsFor = (file: string, type: string, content: string) => {
      const artifact = { ...ids, name: `${folder}-${file}` }
      const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`
      const size = String(Buffer.byteLength(content))
      return [
        ['ArtifactService/CreateArtifact', `Bearer ${TOKEN}`, { ...artifact, mime_type: type, version: 7 }],
        ['ArtifactService/FinalizeArtifact', `Bearer ${TOKEN}`, { ...artifact, size, hash }],
      ]
    }
    expect(github.calls).toEqual([
      ...callsFor('report.html', 'text/html', report!),
      ...callsFor('requests.har', 'application/json', har!),
    ])
    await expect(call(url, token)).rejects.toThrow()
  })

  it.runIf(ALL)('passes its inputs to the simulator', async () => {
    const options = `--control-token 'a b' --vendor="other"\n--tls`
    const job = jobWith({ executable, fixture: 'mine.json', scenario: 'outage', options })
    const { code, out } = await job.start()
    expect(code, out).toBe(0)
    const { EDGESIM_URL: url, EDGESIM_TOKEN, EDGESIM_CERTIFICATE: file, NODE_EXTRA_CA_CERTS } = job.values('ENV')
    expect(existsSync(NODE_EXTRA_CA_CERTS!)).toBe(true)
    const tls = { ca: readFileSync(file!, 'utf8') }
    const headers = { authorization: 'Bearer a b' }
    const { body } = await ask(`${url}/_sim/info`, { ...tls, headers })
    expect(body).toMatchObject({ vendor: 'other' })
    expect((await ask(`${url}/_sim/db/users/usr_mine`, { ...tls, headers })).status).toBe(200)
    const api = { authorization: `Bearer ${EDGESIM_TOKEN}`, 'other-version': '2' }
    expect((await ask(`${url}/api_keys`, { ...tls, headers: api })).status).toBe(503)
  })

  it.runIf(ALL)('fails the job if the simulator says so, and warns if nothing can be uploaded', async () => {
    const job = jobWith({ executable, options: '--fail-under 50' })
    expect((await job.start()).code).toBe(0)
    const { code, out } = await job.stop()
    expect(code).toBe(1)
    expect(out).toMatch(/0 of 252 operations/)
    expect(out).toContain('::error title=edgesim::edgesim ended with exit code 4.')
    expect(out).toMatch(/::warning title=edgesim::Cannot upload edgesim-tests-\w+-report.html: this runner /)
  })

  it.runIf(ALL).each([
    ['a wrong option', { executable, options: '--wrong' }, /did not start:%0A.*--wrong/],
    ['a missing executable', { executable: 'missing' }, /did not start:%0Aspawn .*missing ENOENT/],
    ['an open quote', { executable, options: '--vendor "x' }, /"options" has a quote without an end/],
    ['--as', { executable, options: '--as api.example.com' }, /--as redirects only the command of edgesim exec/],
    ['a command', { executable, options: '-- npm test' }, /"options" has a command after --/],
  ])('explains why it does not start with %s', async (_, given: Record<string, string>, message) => {
    const job = jobWith(given)
    const { code, out } = await job.start()
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(message) })
    expect(await job.stop()).toEqual({ code: 0, out: '', err: '' })
  })

  it.runIf(ALL)('downloads the executable of its version, and checks it', async () => {
    const program = `#!/bin/sh\nexec ${EDGESIM.join(' ')} "$@"\n`
    const sum = createHash('sha256').update(program).digest('hex')
    const SHA256SUMS = `${'0'.repeat(64)}  edgesim-linux-arm64\n${sum}  edgesim-linux-x64\n`
    const job = jobWith({}, await startGithub({ 'edgesim-linux-x64': program, SHA256SUMS }))
    expect((await job.start()).code).toBe(0)
    expect(await call(job.values('OUTPUT').url!, 'sim_admin')).toBe(200)
    const changed = jobWith({}, await startGithub({ 'edgesim-linux-x64': `${program}\n`, SHA256SUMS }))
    expect(await changed.start()).toMatchObject({ code: 1, out: expect.stringContaining('Wrong checksum') })
    for (const [files, message] of [
      [{ SHA256SUMS }, /status 404\. Use a release tag with an executable for Linux X64/],
      [{ SHA256SUMS: BROKEN, 'edgesim-linux-x64': BROKEN }, /Cannot download http:\S+: .+\. Run the job again/],
    ] as const) {
      const failed = await jobWith({}, await startGithub(files)).start()
      expect(failed).toMatchObject({ code: 1, out: expect.stringMatching(message) })
    }
  })
})
