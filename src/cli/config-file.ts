import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readDocument } from '../files/document.ts'
import { checkOption, forSimulator, type OptionName, optionNames, type SimulatorOptions } from '../options.ts'
import { describeFlaw } from '../words/flaw.ts'
import { isObject } from '../words/is-object.ts'

/** Options that a project keeps in a file. */
export interface ConfigFile {
  name: string
  /** The checked value of an option, undefined if it has none; throws with its place in the file. */
  read(option: OptionName): Promise<unknown>
}

/** The options of a project for a simulator that a test runner starts. */
export async function readProjectOptions(folder = process.cwd()): Promise<SimulatorOptions> {
  const file = await readConfigFile(folder)
  const values: Record<string, unknown> = {}
  for (const name of optionNames) {
    const value = await file?.read(name)
    if (value !== undefined) values[name] = value
  }
  return forSimulator(values)
}

const NAMES = ['edgesim.config.json', 'edgesim.config.yaml', 'edgesim.config.yml']

export async function readConfigFile(folder: string): Promise<ConfigFile | undefined> {
  const [name, ...others] = NAMES.filter(each => existsSync(join(folder, each)))
  if (!name) return undefined
  if (others.length > 0)
    console.error(`edgesim: ${name} is used, and ${others.join(' and ')} beside it is not. Remove one of them.`)
  const file = join(folder, name)
  const document = await readDocument(file)
  const { value } = document
  if (!isObject(value)) return document.refuse([{ path: [], message: 'must be an object of options' }])
  const known = ['$schema', ...optionNames]
  const unknown = Object.keys(value).filter(name => !known.includes(name))
  const flaws = unknown.map(name => ({
    path: [name],
    expected: '',
    received: '',
    unknown: { name, allowed: known.slice(1) },
  }))
  if (flaws.length > 0) return document.refuse(flaws.map(flaw => ({ path: flaw.path, message: describeFlaw(flaw) })))
  return {
    name,
    async read(option) {
      if (value[option] === undefined) return undefined
      try {
        return checkOption(option, value[option])
      } catch (error) {
        return document.refuse([{ path: [option], message: `${option}: ${(error as Error).message}` }])
      }
    },
  }
}
