import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

const MIB = 1024 * 1024
/** Fixtures, scenarios and what stdin gives: some 800,000 records. */
export const MAX_DOCUMENT_MB = 128
/** Certificates and keys; a bundle of all that a system trusts is a fifth of it. */
export const MAX_CERTIFICATE_MB = 1

/** Why a file is not read, in words. */
class UnfitFile extends Error {}

export const tooLarge = (mb: number) => new UnfitFile(`it has more than ${mb} MB`)

/** Reads a regular file up to a size. Reading a pipe or a device could block everything, or never end. */
export function readBytesOf(file: string, mostMb: number): Buffer {
  // Opening a pipe would wait for its writer. Windows has no such flag.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile() && !found.isDirectory())
      throw new UnfitFile('it is not a regular file. To read from a pipe, give - instead')
    const most = mostMb * MIB
    if (found.size > most) throw tooLarge(mostMb)
    // Some files of the system do not tell their size.
    const chunks: Buffer[] = []
    for (let length = 0; ; ) {
      const chunk = Buffer.allocUnsafe(Math.max(64 * 1024, found.size - length + 1))
      const read = readSync(descriptor, chunk)
      if (read === 0) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      length += read
      if (length > most) throw tooLarge(mostMb)
      chunks.push(chunk.subarray(0, read))
    }
  } finally {
    closeSync(descriptor)
  }
}

export const readTextOf = (file: string, mostMb: number): string => readBytesOf(file, mostMb).toString()
