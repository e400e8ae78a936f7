import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const pid = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

const works = ([program, ...args]: string[]) =>
  process.platform === 'linux' && spawnSync(program!, [...args, 'true']).status === 0

/** Runs a program as process 1, as in a container; undefined where that is not possible. */
export const alone = works(pid) ? pid : undefined

/** The process that unshare has started, as this machine numbers it. */
export const childOf = (pid: number) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
