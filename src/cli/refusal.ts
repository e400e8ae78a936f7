import { dirname } from 'node:path'
import { FileError } from '../files/document.ts'
import { PortInUse, UnsafeHost } from '../http-server.ts'
import type { CliOptions } from '../options.ts'
import { DamagedFile, FileInUse, ForeignFile, SameFile } from '../store/index.ts'
import { UsageError } from './usage-error.ts'

/**
 * Explains why the simulator did not start, if the user can do something about it. Other errors are bugs and are
 * rethrown.
 */
export function refuse(error: unknown, options: CliOptions): number {
  if (error instanceof FileError) {
    console.error(error.message)
    return 2
  }
  if ([UnsafeHost, SameFile, ForeignFile].some(kind => error instanceof kind))
    throw new UsageError((error as Error).message)
  const why = explain(error as NodeJS.ErrnoException, options)
  if (why === undefined) throw error
  console.error(`edgesim: ${why}`)
  return 1
}

function explain(error: NodeJS.ErrnoException, { db, host = '127.0.0.1', port }: CliOptions): string | undefined {
  const { message, syscall, code } = error
  if (error instanceof PortInUse || error instanceof FileInUse) return message
  if (error instanceof DamagedFile)
    return `${message}.\nNothing was changed. \`edgesim repair ${db}\` saves what can be saved; --fresh starts over.`
  if (syscall === 'getaddrinfo') return `the host ${host} is not known (${message}). Give another --host.`
  if (syscall === 'listen')
    return code === 'EADDRNOTAVAIL'
      ? `${host} is not an address of this machine. Give another --host.`
      : `cannot listen on port ${port} of ${host} (${message}). Choose another with --port N; --port 0 takes any that is free.`
  if (db !== undefined && code !== undefined)
    return `cannot keep the state in ${db}: ${fileTrouble(code, db) ?? message}. Give a --db FILE in a folder that exists and can be written to.`
  return undefined
}

function fileTrouble(code: string, file: string): string | undefined {
  const folder = dirname(file)
  const reasons: Record<string, string> = {
    ENOENT: `there is no folder ${folder}`,
    ENOTDIR: `${folder} is not a folder`,
    EISDIR: 'it is a folder',
    EACCES: `no permission to write in ${folder}`,
    EPERM: `no permission to write in ${folder}`,
    EROFS: `${folder} can only be read`,
    ENOSPC: 'the disk is full',
  }
  return reasons[code]
}
