/**
 * Loaded into a simulator before all else: measures how much time of the processor the longest turn of its event loop
 * took, and prints it on SIGUSR2. Time that the machine gave to others does not count.
 */
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let last = cpuMs()
let longest = 0
setInterval(() => {
  const now = cpuMs()
  longest = Math.max(longest, now - last)
  last = now
}, 1).unref()

process.on('SIGUSR2', () => {
  process.stderr.write(`longest turn: ${longest.toFixed(1)}\n`)
  longest = 0
})
