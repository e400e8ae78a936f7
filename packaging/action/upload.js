import { createHash } from 'node:crypto'

const SERVICE = 'twirp/github.actions.results.api.v1.ArtifactService'

/**
 * Uploads an artifact of the run as a single file, like actions/upload-artifact with `archive: false`. An action cannot use
 * another action at the end of a job, and the library of that action is 1.6 MB.
 */
export async function upload(name, content) {
  const { ACTIONS_RESULTS_URL: service, ACTIONS_RUNTIME_TOKEN: token } = process.env
  if (!service || !token) throw new Error('this runner accepts no artifacts of version 4 or later')

  async function call(method, body) {
    const response = await send(new URL(`${SERVICE}/${method}`, service), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...idsIn(token), name, ...body }),
    })
    return response.json()
  }

  const type = name.endsWith('.html') ? 'text/html' : 'application/json'
  const { signed_upload_url: url } = await call('CreateArtifact', { mime_type: type, version: 7 })
  const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-type': type }
  await send(url, { method: 'PUT', headers, body: content })
  const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`
  await call('FinalizeArtifact', { size: String(content.length), hash })
}

async function send(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(300_000) }).catch(error => {
    throw new Error(error.cause?.message ?? error.message)
  })
  if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`)
  return response
}

/** The IDs of the run and the job are in the scopes of the token. */
function idsIn(token) {
  const { scp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const [, run, job] = /\bActions\.Results:([^:\s]+):([^:\s]+)/.exec(scp) ?? []
  return { workflow_run_backend_id: run, workflow_job_run_backend_id: job }
}
