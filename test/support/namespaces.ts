import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const pid = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

const works = ([program, ...args]: string[]) =>
  process.platform === 'linux' && spawnSync(program!, [...args, 'true']).status === 0

/** Runs a command as process 1, like in a container. Undefined if unsupported. */
export const alone = works(pid) ? pid : undefined

/** A file of a process in /proc, or an empty string if the process has ended. */
function procFile(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Ids of child processes on this machine. */
export const childrenOf = (pid: number | undefined) =>
  procFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)

export const nameOf = (pid: number) => procFile(pid, 'comm')
