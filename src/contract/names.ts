import { capital } from '../basics/text.ts'
/** Names of sandboxes, snapshots, fixtures and scenarios. They are used in tokens and file paths. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/

export const DEFAULT_VENDOR = 'service'

/** The only version of the API. */
export const API_VERSION = '2'

const vendorHeader = (vendor: string, name: string) => `${capital(vendor)}-${name}`

/** The version header, such as `Service-Version`. */
export const versionHeader = (vendor: string) => vendorHeader(vendor, 'Version')

/** The vendor's host names. They end in `.example` (a reserved domain) for vendors other than ngrok. */
export const vendorHosts = (vendor: string) =>
  vendor === 'ngrok'
    ? {
        api: 'api.ngrok.com',
        suffixes: ['ngrok.app', 'ngrok.dev', 'ngrok.io', 'ngrok-free.app', 'ngrok-free.dev', 'ngrok.pizza'],
        cname: 'ngrok-cname.com',
        tcp: 'ngrok.io',
        signIn: 'idp.ngrok.com',
        ingress: 'connect.ngrok-endpoints.com',
      }
    : {
        api: undefined,
        suffixes: [`${vendor}.example`],
        cname: `${vendor}-cname.example`,
        tcp: `${vendor}.example`,
        signIn: `idp.${vendor}.example`,
        ingress: `connect.${vendor}-endpoints.example`,
      }

/** The known vendor with an API at one of the hosts. */
export const vendorAt = (hosts: readonly string[]) => (hosts.includes(vendorHosts('ngrok').api!) ? 'ngrok' : undefined)

/** On every API response: the request id in the journal. */
export const OPERATION_HEADER = 'Edgesim-Operation-Id'

/** The vendor's name for the same header. */
export const operationHeader = (vendor: string) => vendorHeader(vendor, 'Operation-Id')

/** On every response: distinguishes simulators that share an address. */
export const INSTANCE_HEADER = 'Edgesim-Instance'

/** How to reach a simulator, and how to recognise it. */
export interface SimulatorAddress {
  url: string
  /** The certificate of an HTTPS simulator, to be trusted although it is self-signed. */
  ca?: string
  /** The certificate fingerprint of a simulator in this process. Trusted with any issuer and any name. */
  fingerprint?: string
  /** Trusts any certificate. Only for requests to this machine, without secrets. */
  anyCertificate?: boolean
}
