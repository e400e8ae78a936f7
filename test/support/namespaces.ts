import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const pid = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

const works = ([program, ...args]: string[]) =>
  process.platform === 'linux' && spawnSync(program!, [...args, 'true']).status === 0

/** Runs a program as process 1, as in a container; undefined where that is not possible. */
export const alone = works(pid) ? pid : undefined

/** A file about a process; empty if it has ended. */
function told(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** The processes that a process has started, as this machine numbers them. */
export const childrenOf = (pid: number | undefined) =>
  told(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** The name of the program that a process runs. */
export const nameOf = (pid: number) => told(pid, 'comm')
