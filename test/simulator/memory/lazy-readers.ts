import { connect } from 'node:net'
import { afterwards } from '../../support/afterwards.ts'

/** Long enough for more events than the simulator and the system buffer for a reader. */
const ASLEEP_MS = 10_000
const AWAKE_MS = 500

/** Unread event streams, opened again when they end. Counts the streams that the simulator closed. */
export function openLazyReaders(port: number, paths: string[]) {
  const seen = { cut: 0, opened: 0 }
  let over = false
  const open = (path: string) => {
    let left = false
    const leave = () => {
      left = true
      socket.destroy()
    }
    const socket = connect(port, '127.0.0.1').pause()
    seen.opened++
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    socket.on('error', () => {})
    // A socket must be read to notice its end.
    const timers = [setTimeout(() => socket.resume(), ASLEEP_MS), setTimeout(leave, ASLEEP_MS + AWAKE_MS)]
    socket.on('close', () => {
      timers.forEach(clearTimeout)
      if (!left) seen.cut++
      if (!over) open(path)
    })
    afterwards(() => {
      over = true
      leave()
    })
  }
  paths.forEach(open)
  return seen
}
