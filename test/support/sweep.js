// Runs next to the tests until its stdin closes, because the run ended or was interrupted. Then kills leftover processes,
// removes the temp folder, and prints the leftovers as JSON. Plain JavaScript, because Node runs it directly.
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [folder, runner] = [process.argv[2], Number(process.argv[3])]
/** How long processes may take to end. Tests set the variable. */
const PATIENCE_MS = Number(process.env.EDGESIM_SWEEP_MS ?? 5_000)

/**
 * Processes with the temp folder of the run in their environment, or as working directory: nginx overwrites its
 * environment. Linux only: elsewhere, folders show leftover simulators. The runner ends its direct children.
 */
function processes() {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return []
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0')
      const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))[1])
      const isOurs = environment.includes(`TMPDIR=${folder}`) || readlinkSync(`/proc/${name}/cwd`).startsWith(folder)
      if (!isOurs || parent === runner) return []
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ').trim()
      const by = environment.find(line => line.startsWith('EDGESIM_STARTED_BY='))?.slice(19)
      // An ended process that its parent has not noticed has no command line.
      return command ? [{ pid: Number(name), what: `${by ?? 'a test'}: process ${name}, ${command}` }] : []
    } catch {
      return [] // It has ended, or belongs to another user.
    }
  })
}

// If the runner was killed, stdout is closed.
process.stdout.on('error', () => {})
for await (const _ of process.stdin);
let left = processes()
for (let waited = 0; left.length > 0 && waited < PATIENCE_MS; waited += 50) {
  await sleep(50)
  left = processes()
}
for (const { pid } of left) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
const folders = readdirSync(folder).filter(name => name.startsWith('edgesim-'))
rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
process.stdout.write(JSON.stringify([...left.map(({ what }) => what), ...folders.map(name => `the folder ${name}`)]))
