/**
 * Loaded into a simulator first. Measures the longest turn of its event loop in CPU time of this thread, and prints it
 * on SIGUSR2. Other processes and threads do not count.
 */
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let last = { cpu: cpuMs(), wall: performance.now() }
let longest = 0
setInterval(() => {
  const now = { cpu: cpuMs(), wall: performance.now() }
  longest = Math.max(longest, Math.min(now.cpu - last.cpu, now.wall - last.wall))
  last = now
}, 1).unref()

process.on('SIGUSR2', () => {
  process.stderr.write(`longest turn: ${longest.toFixed(1)}\n`)
  longest = 0
})
