import type { Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { normaliseAddress } from '../../basics/cidr.ts'
import type { Row } from '../../engine/language/index.ts'
import type { Access } from '../access/restrictions.ts'
import { PendingDecision, type SandboxEdge } from './sandbox-edge.ts'
import { oneOf, type TlsSettings, tlsSettingsOf } from './tls-settings.ts'

interface HandshakeError extends NodeJS.ErrnoException {
  /** OpenSSL's message. */
  reason?: string
}

interface HandshakeEnd {
  onSecure(secure: TLSSocket): void
  /** The handshake failed for a reason other than the modules. */
  onFailure(error: HandshakeError, secure: TLSSocket): void
}

/** Terminates TLS with the simulator's certificate, as configured by the edge modules. */
export class TlsTermination {
  /** The server for the latest settings. Creating one takes milliseconds. */
  #latest: { key: string; server: Server } | undefined

  constructor(
    readonly edge: SandboxEdge,
    readonly certificate: { key: string; cert: string },
    readonly protocols?: string[],
  ) {}

  /** Performs the handshake, and blocks clients that do not meet the module settings. */
  accept(socket: Socket, record: Row, { onSecure, onFailure }: HandshakeEnd) {
    const { edge } = this
    const settings = tlsSettingsOf(edge.sandbox.tables, record)
    const server = this.#serverFor(settings)
    // Read now, because a closed connection has no address.
    const source = normaliseAddress(socket.remoteAddress ?? '')
    const onError = (error: HandshakeError, secure: TLSSocket) => {
      const blocked = blockedBy({ edge: edge.id, source }, settings, error, secure)
      if (!blocked) return onFailure(error, secure)
      new PendingDecision(edge, record, socket, blocked).publish()
      secure.destroy()
    }
    const emit = (event: string, ...args: unknown[]): boolean => {
      if (event === 'secureConnection') onSecure(args[0] as TLSSocket)
      else if (event === 'tlsClientError') onError(args[0] as HandshakeError, args[1] as TLSSocket)
      else return server.emit(event, ...args)
      return true
    }
    // Node reports the end of a handshake to the server, with a socket that may have lost its address. So each
    // connection gets its own object in place of the server, which receives only the events of this connection.
    handshakeOf(server).call(Object.create(server, { emit: { value: emit } }), socket)
  }

  #serverFor({ minVersion, authorities }: TlsSettings): Server {
    const ca = authorities?.map(({ ca_pem }) => String(ca_pem))
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

/** Node's connection listener of a TLS server. */
export const handshakeOf = (server: Pick<Server, 'listeners'>) =>
  server.listeners('connection')[0] as (this: unknown, socket: Socket) => void

const CERTIFICATE_PROBLEMS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not yet valid',
  INVALID_PURPOSE: 'is not a client certificate',
}

/** Why the modules block a client. Undefined if the handshake failed for another reason. */
function blockedBy(
  { edge, source }: { edge: string; source: string },
  { minVersion, authorities }: TlsSettings,
  { code }: HandshakeError,
  { authorizationError }: TLSSocket,
): Access | undefined {
  const block = (decidedBy: string, label: string, why: string): Access => {
    const text = () => `The ${label} module of ${edge} blocks ${source}: ${why}.`
    return { passes: false, decidedBy, section: '10.9', why, text, warnings: [] }
  }
  if (code === 'ERR_SSL_UNSUPPORTED_PROTOCOL' && minVersion === '1.3')
    return block('tls_termination', 'TLS termination', 'the client does not support TLS 1.3, the minimum version')
  if (!authorities) return undefined
  const signer = oneOf(authorities.map(({ id }) => id))
  if (code === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE')
    return block('mutual_tls', 'mutual TLS', `the client sent no certificate. It needs one signed by ${signer}`)
  if (!authorizationError) return undefined
  const problem = CERTIFICATE_PROBLEMS[String(authorizationError)] ?? `is not signed by ${signer}`
  return block('mutual_tls', 'mutual TLS', `the client certificate ${problem} (${authorizationError})`)
}
