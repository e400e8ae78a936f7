import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { walk } from './walk.js'

// Reads keys with another program, which is run once for each page: command.js SANDBOX PROGRAM ARGUMENTS…
// In the arguments, {url} and {authorization} stand for those of the page.
const [sandbox, program, ...args] = process.argv.slice(2)
const get = async (url, { authorization }) => {
  const filled = args.map(each => each.replace('{url}', url).replace('{authorization}', authorization))
  return JSON.parse((await promisify(execFile)(program, filled)).stdout)
}

try {
  console.log(JSON.stringify(await walk(sandbox, get)))
} catch (error) {
  console.log(JSON.stringify({ error: error.stderr || error.message }))
}
