import type { Socket } from 'node:net'

const BUFFER_BYTES = 64 * 1024
const MAX_SPARE_BUFFERS = 32

/**
 * A pipe allocates a buffer for every read; collecting them is a fifth of its work and most of its memory. So all reads
 * from upstreams share one buffer, and what was read is copied into a spare buffer and written from there.
 */
export class ReadBuffers {
  readonly #shared = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  readonly #spare: Buffer[] = []

  /** How a connection to an upstream is read, for `onread` of node:net. */
  readInto(client: Socket, resume: () => void) {
    const buffer = this.#shared
    const spare = this.#spare
    const release = (free: Buffer) => spare.length < MAX_SPARE_BUFFERS && spare.push(free)
    return {
      buffer,
      callback(length: number) {
        const copy = spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
        buffer.copy(copy, 0, 0, length)
        client.write(copy.subarray(0, length))
        // All is written: the buffer is free again.
        if (client.writableLength === 0) release(copy)
        // Below the high-water mark, reading goes on. The client's queue keeps this buffer, the next read takes another.
        if (!client.writableNeedDrain || client.writableLength === 0) return true
        client.once('drain', () => {
          release(copy)
          resume()
        })
        return false
      },
    }
  }
}
