import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../basics/json.ts'
import { describeProblem } from '../basics/problem.ts'
import { type FileProblem, readDocument } from '../files/document.ts'
import { checkOption, forSimulator, type OptionName, optionNames, type SimulatorOptions } from './options.ts'

/** The options in the configuration file of a project. */
export interface ConfigFile {
  name: string
  /** The checked value of an option, undefined if the file has none. An error has the place in the file. */
  read(option: OptionName): Promise<unknown>
}

/** The options of the configuration file, for a simulator that a test runner starts. */
export async function readProjectOptions(warn: (text: string) => void): Promise<SimulatorOptions> {
  const file = await readConfigFile(process.cwd(), warn)
  const values: Record<string, unknown> = {}
  for (const name of optionNames) {
    const value = await file?.read(name)
    if (value !== undefined) values[name] = value
  }
  return forSimulator(values)
}

const FILE_NAMES = ['edgesim.config.json', 'edgesim.config.yaml', 'edgesim.config.yml']

export async function readConfigFile(folder: string, warn: (text: string) => void): Promise<ConfigFile | undefined> {
  const [name, ...others] = FILE_NAMES.filter(each => existsSync(join(folder, each)))
  if (!name) return undefined
  if (others.length > 0)
    warn(`edgesim: ${name} is used, and ${others.join(' and ')} beside it is not. Remove one of them.`)
  const file = join(folder, name)
  const document = await readDocument(file)
  const { value } = document
  if (!isObject(value)) return document.fail([{ path: [], message: 'must be an object of options' }])
  const unknown = Object.keys(value).filter(name => name !== '$schema' && !(optionNames as string[]).includes(name))
  if (unknown.length > 0) return document.fail(unknown.map(unknownOption))
  return {
    name,
    async read(option) {
      if (value[option] === undefined) return undefined
      try {
        return checkOption(option, value[option])
      } catch (error) {
        return document.fail([{ path: [option], message: `${option}: ${(error as Error).message}` }])
      }
    },
  }
}

function unknownOption(name: string): FileProblem {
  const problem = { path: [name], expected: '', received: '', unknown: { name, allowed: optionNames } }
  return { path: problem.path, message: describeProblem(problem) }
}
