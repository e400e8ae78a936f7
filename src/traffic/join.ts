import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'

/** When one of two connections is gone, so is the other; but what was read from the one is written to the other first. */
export function tie(one: Socket, other: Socket) {
  follow(one, other)
  follow(other, one)
}

function follow(gone: Socket, left: Socket) {
  const end = () => (gone.readableEnded ? left.destroySoon() : left.destroy())
  if (gone.closed) end()
  else gone.once('close', end)
}

/**
 * Carries so many bytes, or half of the first ones, and no more, as fast as they are taken. The source ends then. Where one
 * of the two breaks off, so does this.
 */
export async function carryAtMost(from: Readable, to: Writable, most: number | undefined) {
  let left = most
  try {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      left ??= Math.floor(chunk.length / 2)
      const part = chunk.subarray(0, left)
      left -= part.length
      if (!to.write(part)) await drained(to)
      if (left === 0 || to.destroyed) return
    }
  } catch {
    // The source was broken off: as much as came of it has been carried.
  }
}

/** Also when nobody will take anything any more. */
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
