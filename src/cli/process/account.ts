import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { DEFAULT_VENDOR } from '../../contract/names.ts'
import { type Account, MAX_REQUESTS_PER_MINUTE, REQUESTS_PER_MINUTE } from '../../ngrok/real-api/connection.ts'
import { vendorAt, vendorHosts } from '../../ngrok/vendor.ts'
import { checkVendor, integer } from '../../simulator/options/values.ts'
import { check, lastOf, readUrl } from '../resolve.ts'
import { UsageError } from './exit-code.ts'

/** The options that select an account of the real API, as parsed by yargs. */
export interface AccountOptions {
  url?: string | string[]
  vendor?: string | string[]
}

export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
}

/** A key on the command line would be visible in the shell history and the process list. */
const SET_KEY = 'Set EDGESIM_API_KEY. (For safety, it is not an option.)'

/** The account from the options and the environment. Prompts for a missing key. */
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
  const key = (env.EDGESIM_API_KEY || (await promptForKey(host, terminal))).trim()
  // Allowed in a header. The message must not show the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(
      `Invalid API key for ${host}. It must be a non-empty string of visible ASCII characters. ${SET_KEY}`,
    )
  return { url, key, vendor }
}

/** The maximum number of requests per minute. */
export function readPace(text: string | string[] | undefined): number {
  const pace = lastOf(text)
  if (pace === undefined) return REQUESTS_PER_MINUTE
  const given = /^\d{1,9}$/.test(pace) ? Number(pace) : pace
  return check('--pace', () => integer(1, MAX_REQUESTS_PER_MINUTE)(given as number))
}

/** Prompts for the key without echoing it. */
async function promptForKey(host: string, { input, output }: Terminal): Promise<string> {
  if (!input.isTTY || !output.isTTY) throw new UsageError(`No API key for ${host}. ${SET_KEY}`)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true })
  const ended = new Promise<string>(resolve => lines.once('SIGINT', () => resolve('')).once('close', () => resolve('')))
  output.write(`API key for ${host} (hidden): `)
  try {
    return await Promise.race([lines.question(''), ended])
  } finally {
    lines.close()
    output.write('\n')
  }
}
