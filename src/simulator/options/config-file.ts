import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../basics/json.ts'
import { describeProblem } from '../../basics/problem.ts'
import { type FileProblem, readDocument } from '../../engine/files/document.ts'
import { type CliOptions, checkOption, type OptionName, optionNames, options } from './options.ts'

const FILE_NAMES = ['edgesim.config.json', 'edgesim.config.yaml', 'edgesim.config.yml']

/** The checked options of the configuration file in a folder, and the file's name. */
export async function readConfigFile(folder: string, warn: (text: string) => void) {
  const [file, ...others] = FILE_NAMES.filter(each => existsSync(join(folder, each)))
  if (!file) return undefined
  if (others.length > 0) warn(`edgesim: Using ${file} and ignoring ${others.join(' and ')}. Remove one of them.`)
  const document = await readDocument(join(folder, file))
  if (!isObject(document.value)) return document.fail([{ path: [], message: 'must be an object of options' }])
  const values: Record<string, unknown> = {}
  const problems: FileProblem[] = []
  for (const [name, value] of Object.entries(document.value)) {
    if (name === '$schema') continue
    try {
      if (isOption(name)) values[name] = checkOption(name, value)
      else problems.push({ path: [name], message: describeUnknown(name) })
    } catch (error) {
      problems.push({ path: [name], message: `${name}: ${(error as Error).message}` })
    }
  }
  return problems.length > 0 ? document.fail(problems) : { file, values: values as CliOptions }
}

const isOption = (name: string): name is OptionName => Object.hasOwn(options, name)

const describeUnknown = (name: string) =>
  describeProblem({ path: [name], expected: '', received: '', unknown: { name, allowed: optionNames } })
