import { defineErrors, error, type Params } from '../../engine/error.ts'
import { errors as serverErrors } from '../../server/errors.ts'

// biome-ignore format: the message of a row begins a line, however long the row is
const own = defineErrors({
  proxy_password: error(407, (_: Params) =>
    'This proxy requires its password. Use the HTTPS_PROXY that edgesim exec sets or edgesim env prints.'),
  not_for_proxy: error(400, (_: Params) =>
    'This is a proxy port, which requires the full URL. Send API requests to EDGESIM_URL.'),
  other_host: error(502, (p: { host: string; hosts: string[] }) =>
    `This proxy serves only ${p.hosts.join(', ')} and rejects ${p.host}. To allow other hosts, start edgesim with --pass-through.`),
  other_spelling: error(502, (p: { host: string; as: string }) =>
    `This proxy serves ${p.as} and rejects ${p.host}. Use https://${p.as} or http://${p.as} exactly, without a port or a trailing dot.`),
  host_unreachable: error(502, (p: { host: string; why?: string }) => `Cannot reach ${p.host}: ${p.why}.`),
})

/** The errors of the proxy, and those of the server and the engine. */
export const errors = { ...serverErrors, ...own }
