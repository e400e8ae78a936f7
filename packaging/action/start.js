import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { give, input, report } from './runner.js'

/** Starts a simulator that runs until the end of the job. `edgesim exec` waits until it is healthy. */

const { RUNNER_TEMP, RUNNER_OS, RUNNER_ARCH, GITHUB_JOB, GITHUB_SERVER_URL, GITHUB_ACTION_REPOSITORY } = process.env
const here = name => fileURLToPath(new URL(name, import.meta.url))
const folder = mkdtempSync(join(RUNNER_TEMP, `edgesim-${GITHUB_JOB}-`))

async function start() {
  const args = argumentsOfExec()
  const executable = input('executable') ? resolve(input('executable')) : await download()
  const log = openSync(join(folder, 'log.txt'), 'w')
  const keeper = fork(here('keep.js'), [executable, ...args], { detached: true, stdio: ['ignore', log, log, 'ipc'] })
  const [{ port, environment }] = await Promise.race([once(keeper, 'message'), once(keeper, 'exit').then(didNotStart)])
  if (environment.EDGESIM_STAND_IN) {
    keeper.kill()
    throw new Error(
      '--as redirects only the command of edgesim exec. Run edgesim exec in a step instead of this action.',
    )
  }
  keeper.disconnect()
  keeper.unref()
  give('STATE', { folder, port })
  const { EDGESIM_URL: url, EDGESIM_TOKEN: token } = environment
  give('OUTPUT', { url, token })
  // Not EDGESIM_RUN: each test run of the job chooses the names of its sandboxes.
  const changed = Object.entries(environment).filter(
    ([name, value]) => process.env[name] !== value && name !== 'EDGESIM_RUN',
  )
  give('ENV', Object.fromEntries(changed))
  console.log(`edgesim serves ${url}`)
}

function didNotStart() {
  throw new Error(`edgesim did not start:\n${readFileSync(join(folder, 'log.txt'), 'utf8').trim()}`)
}

function argumentsOfExec() {
  const word = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g
  if (input('options').replace(word, '').trim())
    throw new Error('The input "options" has a quote without an end. Close it.')
  const options = (input('options').match(word) ?? []).map(each => each.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
  if (options.includes('--')) throw new Error('The input "options" has a command after --. Run it in a step instead.')
  const scenario = input('scenario')
  return [
    'exec',
    ...(input('fixture') ? [input('fixture')] : []),
    ...(scenario ? ['--scenario', scenario] : []),
    ...['--report', join(folder, 'report.html'), '--har', join(folder, 'requests.har')],
    ...options,
  ]
}

/** Downloads the executable of this version from its release, and compares its checksum. */
async function download() {
  const { version } = JSON.parse(readFileSync(here('../../package.json'), 'utf8'))
  const name = `edgesim-${RUNNER_OS}-${RUNNER_ARCH}${RUNNER_OS === 'Windows' ? '.exe' : ''}`.toLowerCase()
  const release = `${GITHUB_SERVER_URL}/${GITHUB_ACTION_REPOSITORY}/releases/download/v${version}`
  const [sums, program] = await Promise.all([fetchFile(`${release}/SHA256SUMS`), fetchFile(`${release}/${name}`)])
  const sum = createHash('sha256').update(program).digest('hex')
  if (!sums.toString().split('\n').includes(`${sum}  ${name}`))
    throw new Error(`Wrong checksum: SHA256SUMS does not list ${sum} for ${release}/${name}. Run the job again.`)
  const file = join(folder, name)
  writeFileSync(file, program)
  chmodSync(file, 0o755)
  return file
}

async function fetchFile(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(300_000) }).catch(error => {
    throw new Error(`Cannot download ${url}: ${error.cause?.message ?? error.message}. Run the job again.`)
  })
  if (!response.ok)
    throw new Error(
      `Cannot download ${url}: status ${response.status}. Use a release tag with an executable for ` +
        `${RUNNER_OS} ${RUNNER_ARCH}, or set the input "executable".`,
    )
  return Buffer.from(await response.arrayBuffer())
}

await start().catch(error => report('error', error.message))
