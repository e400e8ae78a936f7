// node scripts/side-by-side.js NAME...: runs npm scripts at the same time and prints the output of each when it ends.
// A NAME may be followed by options: 'NAME -- OPTIONS'. The exit code is that of the first NAME that failed.
import { spawn } from 'node:child_process'

const run = name =>
  new Promise(resolve => {
    const child = spawn('npm', ['run', '--silent', ...name.split(' ')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => {
        output += text
      })
    child.once('close', code => {
      console.log(`> ${name}${code === 0 ? '' : `: failed (${code})`}\n${output}`)
      resolve(code ?? 1)
    })
  })

const codes = await Promise.all(process.argv.slice(2).map(run))
process.exitCode = codes.find(code => code !== 0) ?? 0
