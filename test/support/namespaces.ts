import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const pid = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

const works = ([program, ...args]: string[]) =>
  process.platform === 'linux' && spawnSync(program!, [...args, 'true']).status === 0

/** Runs a program as process 1, as in a container; undefined where that is not possible. */
export const alone = works(pid) ? pid : undefined

/** The processes that a process has started, as this machine numbers them; none if it has ended. */
export function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
