import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { walk } from './walk.js'

// Reads keys with a command that runs once per page: command.js SANDBOX COMMAND ARGUMENTS…
// {url} and {authorization} in the arguments are replaced.
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
