/** Where a simulator is, and by what it is known. */
export interface SimulatorAddress {
  url: string
  /** Of a simulator that serves HTTPS: its own certificate, which nobody else vouches for. */
  ca?: string
  /** Of the certificate of a simulator in this process: it is trusted whoever signed it, and for whatever name. */
  fingerprint?: string
}
