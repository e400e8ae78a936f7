import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../basics/json.ts'
import { describeProblem } from '../basics/problem.ts'
import { type FileProblem, readDocument } from '../files/document.ts'
import {
  type CliOptions,
  checkOption,
  forSimulator,
  type OptionName,
  optionNames,
  type SimulatorOptions,
} from './options.ts'

/** The options in the configuration file of a project. */
export interface ConfigFile {
  name: string
  values: CliOptions
}

/** The options of the configuration file, for a simulator that a test runner starts. */
export async function readProjectOptions(warn: (text: string) => void): Promise<SimulatorOptions> {
  return forSimulator((await readConfigFile(process.cwd(), warn))?.values ?? {})
}

const FILE_NAMES = ['edgesim.config.json', 'edgesim.config.yaml', 'edgesim.config.yml']

export async function readConfigFile(folder: string, warn: (text: string) => void): Promise<ConfigFile | undefined> {
  const [name, ...others] = FILE_NAMES.filter(each => existsSync(join(folder, each)))
  if (!name) return undefined
  if (others.length > 0)
    warn(`edgesim: ${name} is used, and ${others.join(' and ')} beside it is not. Remove one of them.`)
  const document = await readDocument(join(folder, name))
  if (!isObject(document.value)) return document.fail([{ path: [], message: 'must be an object of options' }])
  const values: Record<string, unknown> = {}
  const problems: FileProblem[] = []
  for (const [option, value] of Object.entries(document.value)) {
    if (option === '$schema') continue
    try {
      values[option] = checkKnown(option, value)
    } catch (error) {
      problems.push({ path: [option], message: (error as Error).message })
    }
  }
  return problems.length > 0 ? document.fail(problems) : { name, values }
}

function checkKnown(name: string, value: unknown): unknown {
  const unknown = { name, allowed: optionNames }
  if (!(optionNames as string[]).includes(name))
    throw new Error(describeProblem({ path: [name], expected: '', received: '', unknown }))
  try {
    return checkOption(name as OptionName, value)
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`)
  }
}
