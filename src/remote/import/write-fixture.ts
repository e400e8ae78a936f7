import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { parseDocument } from '../../files/document.ts'
import { whyUnwritable } from '../../files/file-error.ts'
import { createFile, isTaken, replaceFile } from '../../files/replace-file.ts'
import { MAX_YAML_KIB, toYamlText } from '../../files/yaml-text.ts'
import { readFixture } from '../../fixtures/index.ts'
import type { SafeFixture } from './assemble.ts'

const failure = (message: string) => new SimulatorError('INVALID_FILE', message)

/** Fails if the file cannot be written in the end. */
export function checkOut(file: string, force = false) {
  if (!/\.(json|ya?ml)$/i.test(file)) throw failure(`--out ${file}: must end in .json, .yaml or .yml.`)
  if (!existsSync(dirname(resolve(file))))
    throw failure(`${file} cannot be written: there is no folder ${dirname(file)}.`)
  if (!force && isTaken(file)) throw failure(`${file} exists already. Add --force to overwrite it.`)
}

/** Writes the fixture, once it is known that it can be read again. The file is there as a whole or not at all. */
export async function writeFixture(file: string, fixture: SafeFixture, vendor: string, force: boolean) {
  const text = /\.json$/i.test(file) ? `${JSON.stringify(fixture, null, 2)}\n` : await yamlOf(file, fixture)
  await readFixture(await parseDocument(text, file), { now: 0, vendor })
  try {
    const write = force ? replaceFile : createFile
    write(file, text)
  } catch (error) {
    checkOut(file, force)
    throw failure(`${file} cannot be written: ${whyUnwritable(error, file)}.`)
  }
}

async function yamlOf(file: string, fixture: SafeFixture): Promise<string> {
  const limit = MAX_YAML_KIB * 1024
  // To write YAML takes long. It is about as long as JSON.
  const isFar = JSON.stringify(fixture).length > 2 * limit
  const text = isFar ? '' : await toYamlText(fixture)
  if (!isFar && Buffer.byteLength(text) <= limit) return text
  const instead = file.replace(/\.ya?ml$/i, '.json')
  throw failure(
    `${file} would be larger than the ${MAX_YAML_KIB} KiB up to which YAML is read. Run the same with --out ${instead}: nothing is read again.`,
  )
}
