import type { Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { normaliseAddress } from '../ip/cidr.ts'
import type { Row } from '../schema/index.ts'
import type { Access } from '../state/index.ts'
import { PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { oneOf, type TlsSettings, tlsSettingsOf } from './tls-settings.ts'

interface HandshakeError extends NodeJS.ErrnoException {
  /** OpenSSL's words for it. */
  reason?: string
}

interface HandshakeEnd {
  onSecure(secure: TLSSocket): void
  /** The handshake failed, but not because of the modules. */
  onFailure(error: HandshakeError, secure: TLSSocket): void
}

/** Ends TLS with the certificate of the simulator, as the modules of an edge say. */
export class TlsTermination {
  /** The server for the latest settings. Making one takes milliseconds. */
  #latest: { key: string; server: Server } | undefined

  constructor(
    readonly edge: SandboxEdge,
    readonly certificate: { key: string; cert: string },
    readonly protocols?: string[],
  ) {}

  /** Shakes hands with a client, and refuses it if it does not do what the modules of the record ask for. */
  accept(socket: Socket, record: Row, { onSecure, onFailure }: HandshakeEnd) {
    const { edge } = this
    const settings = tlsSettingsOf(edge.sandbox.tables, record)
    const server = this.#serverFor(settings)
    // Read now: it is not known after the connection is closed.
    const source = normaliseAddress(socket.remoteAddress ?? '')
    const onError = (error: HandshakeError, secure: TLSSocket) => {
      const refusal = refusalOf({ edge: edge.id, source }, settings, error, secure)
      if (!refusal) return onFailure(error, secure)
      new PendingDecision(edge, record, socket, refusal).publish()
      secure.destroy()
    }
    const emit = (event: string, ...args: unknown[]): boolean => {
      if (event === 'secureConnection') onSecure(args[0] as TLSSocket)
      else if (event === 'tlsClientError') onError(args[0] as HandshakeError, args[1] as TLSSocket)
      else return server.emit(event, ...args)
      return true
    }
    // Node tells the server how a handshake ended, with a socket that may have lost its address. So each connection gets
    // an object of its own in place of the server, which hears of this connection alone.
    handshakeOf(server).call(Object.create(server, { emit: { value: emit } }), socket)
  }

  #serverFor({ minVersion, authorities }: TlsSettings): Server {
    const ca = authorities?.map(({ ca_pem }) => ca_pem as string)
    const key = JSON.stringify([minVersion, ca])
    if (this.#latest?.key !== key) {
      const server = createServer({
        ...this.certificate,
        ca,
        requestCert: ca !== undefined,
        minVersion: `TLSv${minVersion}`,
        ALPNProtocols: this.protocols,
        handshakeTimeout: this.edge.context.timeouts.headers * 1000,
      })
      this.#latest = { key, server }
    }
    return this.#latest.server
  }
}

/** What Node does with a new connection to a TLS server. */
export const handshakeOf = (server: Pick<Server, 'listeners'>) =>
  server.listeners('connection')[0] as (this: unknown, socket: Socket) => void

const CERTIFICATE_PROBLEMS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  INVALID_PURPOSE: 'is not meant for clients',
}

/** The refusal of a client that does not do what the modules ask for; undefined if the handshake failed otherwise. */
function refusalOf(
  { edge, source }: { edge: string; source: string },
  { minVersion, authorities }: TlsSettings,
  { code }: HandshakeError,
  { authorizationError }: TLSSocket,
): Access | undefined {
  const refuse = (decidedBy: string, label: string, why: string): Access => {
    const text = () => `The ${label} module of ${edge} refuses ${source}: ${why}.`
    return { passes: false, decidedBy, section: '10.9', why, text, warnings: [] }
  }
  if (code === 'ERR_SSL_UNSUPPORTED_PROTOCOL' && minVersion === '1.3')
    return refuse('tls_termination', 'TLS termination', 'the client does not speak TLS 1.3, the lowest version allowed')
  if (!authorities) return undefined
  const signer = oneOf(authorities.map(({ id }) => id))
  if (code === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE')
    return refuse('mutual_tls', 'mutual TLS', `the client sent no certificate, and needs one signed by ${signer}`)
  if (!authorizationError) return undefined
  const problem = CERTIFICATE_PROBLEMS[String(authorizationError)] ?? `is not signed by ${signer}`
  return refuse('mutual_tls', 'mutual TLS', `the certificate of the client ${problem} (${authorizationError})`)
}
