import { PassThrough } from 'node:stream'
import type { Terminal } from '../../src/cli/process/account.ts'

/** A terminal with typed text. `shown` returns its output. */
export function terminalWith(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 200 })
  input.write(typed)
  return { input, output, shown: () => String(output.read() ?? '') } as unknown as Terminal & { shown(): string }
}
