import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Delivery, Ending } from '../../engine/rules.ts'
import { reset, wait } from './sockets.ts'

/** Ends a connection without a response. `afterWait` is called after the wait. */
export async function endEarly(
  socket: Socket,
  signal: AbortSignal,
  { bytes, reset: isReset, afterMs = 0 }: Ending,
  afterWait = () => {},
) {
  if (afterMs > 0) {
    await wait(afterMs, socket, signal)
    afterWait()
  }
  if (isReset) return reset(socket)
  if (bytes) socket.write(bytes)
  // This still sends earlier writes.
  socket.destroySoon()
}

/** Sends the output of a fault to an HTTP response, or to a connection without HTTP. */
export class FaultyDelivery implements Delivery {
  #begun = false

  constructor(
    readonly body: Delivery['body'],
    readonly length: number | undefined,
    readonly to: ServerResponse | Socket,
    readonly socket: Socket,
    /** Aborted when the delivery must end. */
    readonly signal: AbortSignal,
    /** The head of a response. */
    readonly head?: { status: number; write(): void },
  ) {}

  get over() {
    return this.socket.destroyed || this.signal.aborted
  }

  async write(bytes: Buffer) {
    const { to } = this
    this.#begin()
    if (to.write(bytes) || to.destroyed) return
    await new Promise<void>(resolve => {
      const done = () => {
        to.off('drain', done).off('close', done)
        resolve()
      }
      to.once('drain', done).once('close', done)
    })
  }

  end() {
    this.#begin()
    this.to.end()
  }

  cut() {
    if (this.head && !this.#begun) this.socket.write(`HTTP/1.1 ${this.head.status} `)
    // Since Node 24, a response passes its chunks to the socket at the end of the tick.
    process.nextTick(() => this.socket.destroySoon())
  }

  wait(ms: number) {
    return wait(ms, this.socket, this.signal)
  }

  #begin() {
    if (!this.#begun) this.head?.write()
    this.#begun = true
  }
}
