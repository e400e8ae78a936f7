import { connect, createServer, type Socket } from 'node:net'
import { afterwards } from '../support/afterwards.ts'
import { listening } from '../support/http.ts'

/** A proxy with a fixed address that can be cut, and later lead to another simulator. */
export async function openLine(to: number) {
  const sockets = new Set<Socket>()
  let port: number | undefined = to
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    if (port === undefined) return socket.destroy()
    const other = connect(port, '127.0.0.1').on('error', () => socket.destroy())
    sockets.add(other)
    socket.pipe(other).pipe(socket)
  })
  const cut = () => {
    port = undefined
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  afterwards(cut)
  return {
    url: `http://127.0.0.1:${await listening(server)}`,
    cut,
    mend(next = to) {
      port = next
    },
  }
}
