import { expect, it } from 'vitest'
import { renameOver } from '../../src/files/replace-file.ts'

/** What becomes of a rename that fails so often with a code, how often it is tried, and how long that takes. */
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
  ['is tried again on Windows while another program has a file open', 'win32', 2, 'EPERM', undefined, 3, 30],
  ['fails on Windows if the file stays open for half a second', 'win32', 99, 'EBUSY', 'EBUSY', 10, 450],
  ['fails on Windows at once for another reason', 'win32', 99, 'ENOENT', 'ENOENT', 1, 0],
  ['is tried once on other systems', 'darwin', 99, 'EACCES', 'EACCES', 1, 0],
] as const)('A rename %s', (_, platform, failures, code, failure, tries, waited) =>
  expect(renamed(platform, failures, code)).toEqual({ failure, tries, waited }))
