import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Resolves when the answers before this one on the connection are sent: clients may send requests ahead. */
export function turn(res: ServerResponse, socket: Socket): Promise<void> | undefined {
  if (res.socket || socket.destroyed) return undefined
  return new Promise(resolve => {
    const done = () => {
      res.off('socket', done)
      socket.off('close', done)
      resolve()
    }
    res.once('socket', done)
    socket.once('close', done)
  })
}
