import type { Socket } from 'node:net'

/** So many bytes, or half of the first ones, then the connection ends. */
export function cutAfter(from: NodeJS.ReadableStream, to: Socket, after: number | undefined) {
  let left = after
  from.on('data', (chunk: Buffer) => {
    left ??= Math.floor(chunk.length / 2)
    if (chunk.length < left) {
      left -= chunk.length
      to.write(chunk)
    } else {
      to.write(chunk.subarray(0, left), () => to.destroy())
      left = 0
    }
  })
}
