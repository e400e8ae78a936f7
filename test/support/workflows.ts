import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './afterwards.ts'
import { launch } from './as-process.ts'

export interface Step {
  uses?: string
  run?: string
  env?: Record<string, string>
  with?: Record<string, string>
}

export interface Job {
  uses?: string
  needs?: string | string[]
  permissions?: Record<string, string>
  env?: Record<string, string>
  strategy?: { matrix: Record<string, unknown[]> }
  steps?: Step[]
}

interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

export const workflow = (name: 'ci' | 'release'): Workflow =>
  parse(readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8'))

export const needsOf = ({ needs = [] }: Job) => [needs].flat()

/** The values of a job's matrix, one per combination. Without a suffix, its expression is empty. */
export const combinations = ({ strategy }: Job): Record<string, string>[] =>
  (strategy?.matrix.include ?? strategy?.matrix.os?.map(os => ({ os })) ?? [{}]).map(values => ({
    suffix: '',
    ...(values as object),
  }))

/** A workflow, job or step with values for its expressions. Throws if one has no value. */
export const filled = <T>(value: T, known: Record<string, string | number>): T =>
  JSON.parse(
    JSON.stringify(value).replace(/\$\{\{ (.+?) \}\}/g, (_, expression) => {
      if (!(expression in known)) throw new Error(`this test has no value for ${expression}`)
      return String(known[expression])
    }),
  )

/** Whether steps can run here. */
export const hasShell =
  process.platform !== 'win32' &&
  spawnSync('bash', ['-c', 'curl --version && git --version && sha256sum --version']).status === 0

/** Runs the step that contains the text. Programs in the folder `bin` replace others. */
export function runStep({ steps = [], env }: Job, text: string, cwd: string, more: Record<string, string> = {}) {
  const { run } = steps.find(({ run }) => run?.includes(text))!
  return runInJob(run!, cwd, { ...env, ...more })
}

export const runInJob = (script: string, cwd: string, env: Record<string, string> = {}) =>
  launch(['-e', '-c', script], {
    command: ['bash'],
    cwd,
    env: {
      PATH: `${join(cwd, 'bin')}:${process.env.PATH}`,
      NO_PROXY: '*',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'someone/sim',
      ...env,
    },
  }).ended
