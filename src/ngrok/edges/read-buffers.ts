import type { Socket } from 'node:net'

const BUFFER_BYTES = 64 * 1024
const MAX_SPARE_BUFFERS = 32

/**
 * A pipe allocates a buffer for every read. Garbage collection of these buffers is a fifth of its work and most of its
 * memory. So all upstream reads share one buffer, and each chunk is copied into a spare buffer and written from there.
 */
export class ReadBuffers {
  readonly #shared = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  readonly #spare: Buffer[] = []

  /** The `onread` option of node:net for an upstream connection. */
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
        // Everything is written, so the buffer is free again.
        if (client.writableLength === 0) release(copy)
        // Below the high-water mark, continue reading. The client's queue holds this buffer, so the next read uses
        // another.
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
