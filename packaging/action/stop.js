import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { report } from './runner.js'
import { upload } from './upload.js'

/** Ends the simulator at the end of the job, prints its log, and uploads its report and its requests. */
const { STATE_folder: folder, STATE_port: port } = process.env

async function stop() {
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect').catch(() => {
    throw new Error('The simulator ended before the job did, and wrote no report.')
  })
  const code = await text(socket)
  console.log(readFileSync(join(folder, 'log.txt'), 'utf8'))
  if (code !== '0') report('error', `edgesim ended with exit code ${code}. This step's log shows the reason.`)
  for (const name of ['report.html', 'requests.har']) {
    const file = join(folder, name)
    if (!existsSync(file)) continue
    const artifact = `${basename(folder)}-${name}`
    await upload(artifact, readFileSync(file)).then(
      () => console.log(`Uploaded ${artifact}.`),
      error => report('warning', `Cannot upload ${artifact}: ${error.message}.`),
    )
  }
}

// Without a port, the simulator did not start.
if (port) await stop().catch(error => report('error', error.message))
