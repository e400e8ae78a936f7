import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { SimulatorError } from '../../../contract/simulator-error.ts'
import { parseDocument } from '../../../engine/files/document.ts'
import { whyUnwritable } from '../../../engine/files/file-error.ts'
import { NamedFiles } from '../../../engine/files/named-files.ts'
import { createFile, isTaken, replaceFile } from '../../../engine/files/replace-file.ts'
import { MAX_YAML_KIB, toYamlText } from '../../../engine/files/yaml-text.ts'
import { readFixture } from '../../../engine/fixtures/index.ts'
import { catalog } from '../../resources/index.ts'
import type { SafeFixture } from './assemble.ts'

const failure = (message: string) => new SimulatorError('INVALID_FILE', message)

/** Fails early if the file is not writable. */
export function checkOut(file: string, force = false) {
  if (!/\.(json|ya?ml)$/i.test(file)) throw failure(`--out ${file} must end in .json, .yaml or .yml.`)
  if (!existsSync(dirname(resolve(file))))
    throw failure(`Cannot write ${file}: the directory ${dirname(file)} does not exist.`)
  if (!force && isTaken(file)) throw failure(`${file} already exists. Add --force to overwrite it.`)
}

/** Checks that the fixture can be read, then writes it atomically. */
export async function writeFixture(file: string, fixture: SafeFixture, vendor: string, force: boolean) {
  const text = /\.json$/i.test(file) ? `${JSON.stringify(fixture, null, 2)}\n` : await yamlOf(file, fixture)
  const fixtures = new NamedFiles('fixtures', undefined)
  await readFixture(await parseDocument(text, file), { catalog, now: 0, vendor, fixtures })
  try {
    const write = force ? replaceFile : createFile
    write(file, text)
  } catch (error) {
    checkOut(file, force)
    throw failure(`Cannot write ${file}: ${whyUnwritable(error, file)}.`)
  }
}

async function yamlOf(file: string, fixture: SafeFixture): Promise<string> {
  const limit = MAX_YAML_KIB * 1024
  // Writing YAML is slow, and about as long as JSON.
  const isFar = JSON.stringify(fixture).length > 2 * limit
  const text = isFar ? '' : await toYamlText(fixture)
  if (!isFar && Buffer.byteLength(text) <= limit) return text
  const instead = file.replace(/\.ya?ml$/i, '.json')
  throw failure(
    `Cannot write ${file}: YAML is limited to ${MAX_YAML_KIB} KiB. Run the command again with --out ${instead}. It reuses the data already read.`,
  )
}
