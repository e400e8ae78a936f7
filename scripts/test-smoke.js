import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import * as os from 'node:os'
import { join } from 'node:path'
import { installIn, root, run } from './installed.js'

/** npm run test:smoke: runs smoke.js on the packed package in this Node, and prints a system report for the authors. */
const folder = mkdtempSync(join(os.tmpdir(), 'edgesim-test-smoke-'))

/** Describes what the file system or the network allows. */
const facts = {
  async 'names of files differ by case'() {
    writeFileSync(join(folder, 'case'), '')
    if (existsSync(join(folder, 'CASE'))) return 'no'
  },
  async 'a file can be renamed over another'() {
    renameSync(file('from'), file('to'))
    if (readFileSync(join(folder, 'to'), 'utf8') !== 'from') return 'no'
  },
  'a file can be renamed over an open one': () =>
    withOpen(file('open'), 'r', () => renameSync(file('from'), join(folder, 'open'))),
  'a file that is open for appending can be cut': () => withOpen(file('cut'), 'a', fd => ftruncateSync(fd, 1)),
  'a folder can be flushed': () => withOpen(folder, 'r', fsyncSync),
  'a file can have two names': async () => linkSync(file('one'), join(folder, 'two')),
  '127.0.0.2 reaches 127.0.0.1': () => reach('127.0.0.1', '127.0.0.2'),
  '::1 can be listened on': () => reach('::1'),
}

function file(name) {
  writeFileSync(join(folder, name), name)
  return join(folder, name)
}

async function withOpen(path, flags, work) {
  const fd = openSync(path, flags)
  try {
    work(fd)
  } finally {
    closeSync(fd)
  }
}

async function reach(host, localAddress) {
  const server = createServer(socket => socket.end())
  try {
    await once(server.listen(0, host), 'listening')
    const socket = connect({ host, port: server.address().port, localAddress })
    await once(socket, 'connect')
    socket.destroy()
  } finally {
    server.close()
  }
}

/** Runs smoke.js, prints its output, and returns its failures. */
async function smoke(installed) {
  const child = spawn(process.execPath, [join(root, 'scripts/smoke.js'), installed], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    said += text
    process.stdout.write(text)
  })
  const [code] = await once(child, 'close')
  const failed = said.split(/^(?=ok |FAILED|Node )/m).filter(text => text.startsWith('FAILED'))
  return code === 0 || failed.length > 0 ? failed : [`FAILED  smoke.js ended with ${code}`]
}

try {
  const installed = installIn(folder)
  // With the shell of this system.
  const version = run(join(folder, 'node_modules/.bin/edgesim'), ['--version'], { stdio: 'pipe' }).trim()
  const failed = await smoke(installed)
  const lines = [
    `edgesim ${version}, Node ${process.version}`,
    `${os.type()} ${os.release()} (${os.version()}), ${os.arch()}`,
  ]
  for (const [what, tell] of Object.entries(facts)) {
    const told = await tell().catch(error => `no (${error.code ?? error})`)
    lines.push(`${what}: ${told ?? 'yes'}`)
  }
  lines.push(...failed.map(text => text.trimEnd()), `features that failed: ${failed.length}`)
  console.log(`\nPaste this into a bug report:\n\n${lines.join('\n')}\n`)
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
