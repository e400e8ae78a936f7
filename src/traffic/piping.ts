import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'

/** When one of two sockets closes, closes the other. If the first was read to its end, pending writes go out before. */
export function closeTogether(one: Socket, other: Socket) {
  closeAfter(one, other)
  closeAfter(other, one)
}

function closeAfter(closing: Socket, other: Socket) {
  const close = () => (closing.readableEnded ? other.destroySoon() : other.destroy())
  if (closing.closed) close()
  else closing.once('close', close)
}

/**
 * Copies at most that many bytes, or without a number half of the first chunk, and then destroys the source. Ends early
 * when one side closes or fails. The target stays open.
 */
export async function pipeAtMost(from: Readable, to: Writable, maxBytes: number | undefined) {
  let left = maxBytes
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      left ??= Math.floor(chunk.length / 2)
      const part = chunk.subarray(0, left)
      left -= part.length
      if (!to.write(part)) await drained(to)
      if (left === 0 || to.destroyed) return
    }
  } catch {
    // The source failed: what came before is copied.
  }
}

/** Resolves when the stream can take more, or is closed. */
function drained(to: Writable): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      to.off('drain', done).off('close', done)
      resolve()
    }
    to.once('drain', done).once('close', done)
    if (to.destroyed) done()
  })
}
