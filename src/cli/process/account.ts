import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { DEFAULT_VENDOR, vendorAt, vendorHosts } from '../../contract/names.ts'
import { checkVendor, wholeNumber } from '../../options/values.ts'
import { type Account, MAX_REQUESTS_PER_MINUTE, REQUESTS_PER_MINUTE } from '../../remote/connection.ts'
import { check, lastOf, readUrl } from '../resolve.ts'
import { UsageError } from './exit-code.ts'

/** The options by which a command finds the real service, as yargs gives them. */
export interface AccountOptions {
  url?: string | string[]
  vendor?: string | string[]
}

/** Where somebody can be asked. */
export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
}

/** A key on the command line would be in the history of the shell, and in the list of processes. */
const HOW = 'Set EDGESIM_API_KEY to it; it is no option.'

/** The account that the options and the environment name. Its key is asked for if it is not in the environment. */
export async function readAccount(
  own: AccountOptions,
  env: NodeJS.ProcessEnv,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<Account> {
  const url = readUrl(lastOf(own.url) ?? `https://${vendorHosts('ngrok').api}`)
  const { host, hostname } = new URL(url)
  const word = lastOf(own.vendor)
  const vendor =
    word === undefined ? (vendorAt([hostname]) ?? DEFAULT_VENDOR) : check('--vendor', () => checkVendor(word))
  const key = (env.EDGESIM_API_KEY || (await askForKey(host, terminal))).trim()
  // What a header can have. The message must not show it.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(`the API key for ${host} must be a text of visible ASCII characters, and not empty. ${HOW}`)
  return { url, key, vendor }
}

/** How many requests a minute are sent at most. */
export function readPace(text: string | string[] | undefined): number {
  const pace = lastOf(text)
  if (pace === undefined) return REQUESTS_PER_MINUTE
  const given = /^\d{1,9}$/.test(pace) ? Number(pace) : pace
  return check('--pace', () => wholeNumber(1, MAX_REQUESTS_PER_MINUTE)(given as number))
}

/** Asks for the key without showing what is typed. */
async function askForKey(host: string, { input, output }: Terminal): Promise<string> {
  if (!input.isTTY || !output.isTTY) throw new UsageError(`the API key for ${host} is not known. ${HOW}`)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true })
  const ended = new Promise<string>(resolve => lines.once('SIGINT', () => resolve('')).once('close', () => resolve('')))
  output.write(`API key for ${host} (it is not shown): `)
  try {
    return await Promise.race([lines.question(''), ended])
  } finally {
    lines.close()
    output.write('\n')
  }
}
