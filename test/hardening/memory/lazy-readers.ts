import { connect } from 'node:net'
import { afterwards } from '../../support/afterwards.ts'

/** Event streams that nobody reads; one that is cut is opened again. */
export function openLazyReaders(port: number, paths: string[]) {
  let over = false
  const seen = { cut: 0 }
  const open = (path: string) => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    socket.on('error', () => {})
    // Only a socket that is read notices its end: now and then it is looked at.
    const look = setTimeout(() => socket.destroy(), 500)
    socket.on('close', () => {
      clearTimeout(look)
      seen.cut++
      if (!over) open(path)
    })
    afterwards(() => {
      over = true
      socket.destroy()
    })
  }
  paths.forEach(open)
  return seen
}
