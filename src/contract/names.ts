/** Names of sandboxes, snapshots, fixtures and scenarios. They become parts of tokens and of paths on disk. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/

export const DEFAULT_VENDOR = 'service'

/** The only version of the API. */
export const API_VERSION = '2'

const vendorHeader = (vendor: string, name: string) => `${vendor[0]!.toUpperCase()}${vendor.slice(1)}-${name}`

/** The header that carries the version, such as `Service-Version`. */
export const versionHeader = (vendor: string) => vendorHeader(vendor, 'Version')

/**
 * The host names that the vendor gives out itself. Those of ngrok are the real ones; of any other word they are below
 * `.example`, where no host is.
 */
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
        /** Where the API is served; not known of other vendors. */
        api: undefined,
        suffixes: [`${vendor}.example`],
        cname: `${vendor}-cname.example`,
        tcp: `${vendor}.example`,
        signIn: `idp.${vendor}.example`,
        ingress: `connect.${vendor}-endpoints.example`,
      }

/** The vendor that serves its API at one of the hosts, if it is known. */
export const vendorAt = (hosts: readonly string[]) => (hosts.includes(vendorHosts('ngrok').api!) ? 'ngrok' : undefined)

/** On every answer of the API: the id of the request in the journal. */
export const OPERATION_HEADER = 'Edgesim-Operation-Id'

/** The vendor's name for the same, beside our own. */
export const operationHeader = (vendor: string) => vendorHeader(vendor, 'Operation-Id')

/** On every answer: tells simulators apart that share one address. */
export const INSTANCE_HEADER = 'Edgesim-Instance'

/** How to reach a simulator, and how to recognise it. */
export interface SimulatorAddress {
  url: string
  /** The certificate of a simulator that serves HTTPS, to be trusted although no authority signed it. */
  ca?: string
  /** Of the certificate of a simulator in this process: trusted whoever signed it, and whatever name it is for. */
  fingerprint?: string
  /** Trusts any certificate: only to ask this machine something without a secret. */
  anyCertificate?: boolean
}
