import { launch, type SpawnOptions } from '../support/as-process.ts'

const CALL = `
  const { EDGESIM_URL: url, EDGESIM_TOKEN: token } = process.env;
  const call = (path, init = {}, as = token) => fetch(url + path, {
    ...init,
    headers: { authorization: 'Bearer ' + as, 'service-version': '2', 'content-type': 'application/json', connection: 'close' },
  });`

/** A command that runs JavaScript, with `call` to send API requests. */
export const js = (code: string) => [process.execPath, '--input-type=module', '-e', CALL + code]

export const exec = (args: string[], command: string[], options?: SpawnOptions) =>
  launch(['exec', ...args, '--', ...command], options)
