// node scripts/side-by-side.js NAME...: runs npm scripts at the same time. The output of each is shown when it ends,
// and the first that fails ends with its exit code.
import { spawn } from 'node:child_process'

const run = name =>
  new Promise(resolve => {
    const child = spawn('npm', ['run', '--silent', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => {
        said += text
      })
    child.once('close', code => {
      console.log(`> ${name}${code === 0 ? '' : `: failed (${code})`}\n${said}`)
      resolve(code ?? 1)
    })
  })

const codes = await Promise.all(process.argv.slice(2).map(run))
process.exitCode = codes.find(code => code !== 0) ?? 0
