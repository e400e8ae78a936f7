// Waits beside a run of the tests until its input ends: because the run is over, or because it was interrupted and
// could not clean up. Then names what is left of it on standard output, as JSON, ends the processes among that and
// removes the folder. Plain JavaScript, since it is started by Node alone.
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [folder, runner] = [process.argv[2], Number(process.argv[3])]
/** How long what is about to end may take; the variable is for tests of this. */
const PATIENCE_MS = Number(process.env.EDGESIM_SWEEP_MS ?? 5_000)

/**
 * Processes whose temp folder is that of the run, which all its descendants inherit, or which are in it: nginx overwrites
 * its environment. Only Linux tells; elsewhere a simulator that was left running is seen by its folder. What the runner
 * itself started, it ends itself.
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
      // One that has ended and waits for its parent to notice has no command line any more.
      return command ? [{ pid: Number(name), what: `${by ?? 'a test'}: process ${name}, ${command}` }] : []
    } catch {
      return [] // It has ended, or is somebody else's.
    }
  })
}

// After a kill of the runner nobody reads any more.
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
