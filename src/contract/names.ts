/** Names of sandboxes, snapshots, fixtures and scenarios. They are used in tokens and file paths. */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The word in the version header and in error codes, without `--vendor`. */
export const DEFAULT_VENDOR = 'service'

/** On every API response: the request id in the journal. */
export const OPERATION_HEADER = 'Edgesim-Operation-Id'

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
