import { expect, it } from 'vitest'
import { renameOver } from '../../../src/engine/files/replace-file.ts'

/** The result, attempts and wait of a rename that first fails that many times. */
function renamed(platform: NodeJS.Platform, failures: number, code: string) {
  let [tries, waited] = [0, 0]
  const rename = () => {
    if (++tries <= failures) throw Object.assign(new Error(code), { code })
  }
  const pause = (ms: number) => {
    waited += ms
  }
  const failure = (() => {
    try {
      renameOver('a', 'b', { platform, rename, pause })
    } catch (error) {
      return (error as Error).message
    }
  })()
  return { failure, tries, waited }
}

it.each([
  ['is repeated on Windows while another process has the file open', 'win32', 2, 'EPERM', undefined, 3, 30],
  ['fails on Windows if the file is open for half a second', 'win32', 99, 'EBUSY', 'EBUSY', 10, 450],
  ['fails immediately on Windows for other reasons', 'win32', 99, 'ENOENT', 'ENOENT', 1, 0],
  ['is not repeated on other systems', 'darwin', 99, 'EACCES', 'EACCES', 1, 0],
] as const)('A rename %s', (_, platform, failures, code, failure, tries, waited) =>
  expect(renamed(platform, failures, code)).toEqual({ failure, tries, waited }))
