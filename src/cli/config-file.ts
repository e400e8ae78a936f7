import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readDocument } from '../files/document.ts'
import { type CliOptions, checkOption, forSimulator, optionNames, type SimulatorOptions } from '../options.ts'
import { describeFlaw } from '../words/flaw.ts'

/** Options that a project keeps in a file. */
export interface ConfigFile {
  name: string
  values: Record<string, unknown>
  /** Says what is wrong with the value of an option, with its place in the file. */
  refuse(option: string, message: string): Promise<never>
}

/** The options of a project for a simulator that a test runner starts. */
export async function readProjectOptions(folder = process.cwd()): Promise<SimulatorOptions> {
  const file = await readConfigFile(folder)
  const checked: CliOptions = {}
  for (const name of optionNames) {
    if (file?.values[name] === undefined) continue
    try {
      Object.assign(checked, { [name]: checkOption(name, file.values[name]) })
    } catch (error) {
      await file.refuse(name, (error as Error).message)
    }
  }
  const given = Object.entries(forSimulator(checked)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

const NAMES = ['edgesim.config.json', 'edgesim.config.yaml', 'edgesim.config.yml']

export async function readConfigFile(folder: string): Promise<ConfigFile | undefined> {
  const file = NAMES.map(name => join(folder, name)).find(path => existsSync(path))
  if (!file) return undefined
  const document = await readDocument(file)
  const { value } = document
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return document.refuse([{ path: [], message: 'must be an object of options' }])
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
    name: basename(file),
    values: value as Record<string, unknown>,
    refuse: (option, message) => document.refuse([{ path: [option], message: `${option}: ${message}` }]),
  }
}
