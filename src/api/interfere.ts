import { errorCode } from '../errors.ts'
import type { Reply } from '../operations/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Effects } from '../scenarios/index.ts'
import { errorReply, toAnswer } from './send.ts'
import type { RecordedWire } from './wire.ts'

interface Interference {
  call: Call
  effects: Effects
  wire: RecordedWire
  vendor: string
  carryOut(): Promise<Reply>
}

/** Lets the scenario's rules do what they do. The reply to send as usual, or undefined when a fault has dealt with it. */
export async function interfere({ call, effects, wire, vendor, carryOut }: Interference): Promise<Reply | undefined> {
  const { delayMs, fault, headers } = effects
  if (delayMs > 0) {
    await wire.wait(delayMs)
    call.checkLife()
    if (wire.over) {
      call.entry.rules.findLast(({ fired }) => fired)!.effect += ', but the client left before that'
      return undefined
    }
  }
  if (!fault) return withHeaders(await carryOut(), headers)
  await fault.run({
    call,
    wire,
    toAnswer: reply => toAnswer(call, withHeaders(reply, headers)),
    errorCode: number => errorCode(vendor, number),
    // A call that is refused has an answer too, and that is what goes wrong on its way.
    async carryOut() {
      const reply = await carryOut().catch(error => errorReply(error, vendor, call.id))
      return toAnswer(call, withHeaders(reply, headers))
    },
  })
  return undefined
}

export const withHeaders = (reply: Reply, headers: Record<string, string> | undefined): Reply =>
  headers ? { ...reply, headers: { ...headers, ...reply.headers } } : reply
