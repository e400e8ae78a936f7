import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

const MIB = 1024 * 1024
/** For fixtures, scenarios and stdin: about 800,000 records. */
export const MAX_DOCUMENT_MB = 128
/** For certificates and keys. A system's bundle of trusted certificates is a fifth of it. */
export const MAX_CERTIFICATE_MB = 1

/** Its message is the reason. */
class UnreadableFile extends Error {}

export const tooLarge = (mb: number) => new UnreadableFile(`it is larger than ${mb} MB`)

/** Reads a regular file up to a size. A pipe or a device could block the process. */
export function readBytesOf(file: string, mostMb: number): Buffer {
  // Opening a pipe would wait for its writer. Windows does not have this flag.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile() && !found.isDirectory())
      throw new UnreadableFile('it is not a regular file. To read from a pipe, use -')
    const most = mostMb * MIB
    if (found.size > most) throw tooLarge(mostMb)
    // Some system files report no size.
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
