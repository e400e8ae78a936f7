import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Decision } from '../../contract/traffic.ts'
import type { Row } from '../../engine/language/index.ts'
import type { Tables } from '../../engine/state/index.ts'
import type { Access } from '../access/restrictions.ts'

/** How an edge terminates TLS. */
export interface TlsSettings {
  minVersion: '1.2' | '1.3'
  /** One of them must have signed the client certificate. Undefined if clients need no certificate. */
  authorities: Row[] | undefined
}

interface MutualTls {
  enabled: boolean
  certificate_authority_ids: string[]
}

interface Termination {
  enabled: boolean
  min_version: '1.2' | '1.3'
  /** HTTPS edges do not have this setting: they always terminate TLS. */
  terminate_at?: 'edge' | 'upstream'
}

/** The module, if it is enabled. */
const enabled = <T extends { enabled: boolean }>(module: unknown) =>
  (module as T | undefined)?.enabled ? (module as T) : undefined
const terminationOf = (edge: Row) => enabled<Termination>(edge.tls_termination)
const mutualTlsOf = (edge: Row) => enabled<MutualTls>(edge.mutual_tls)

/** docs/edges.md: a TLS edge passes TLS through to its upstream unless its TLS termination module terminates it. */
export const endsTls = (kind: Decision['kind'], edge: Row) =>
  kind === 'https' || (kind === 'tls' && terminationOf(edge)?.terminate_at === 'edge')

/** The settings of an edge that terminates TLS. */
export const tlsSettingsOf = (tables: Tables, edge: Row): TlsSettings => ({
  minVersion: terminationOf(edge)?.min_version ?? '1.2',
  authorities: mutualTlsOf(edge)?.certificate_authority_ids.flatMap(
    id => tables.get('certificate_authorities', id) ?? [],
  ),
})

/** Why the mutual TLS module has no effect on a connection. Undefined if it has an effect or is not set. */
export function mutualTlsWarning(kind: Decision['kind'], edge: Row, plain: boolean): string | undefined {
  if (!mutualTlsOf(edge) || (endsTls(kind, edge) && !plain)) return undefined
  const why = plain ? 'this address serves plain HTTP' : 'TLS ends at the upstream, so the edge sees no certificates'
  return `The mutual TLS module of ${edge.id} has no effect: ${why}.`
}

/** Adds a sentence about the accepted client certificate. */
export function withCertificate(access: Access, edge: Row, socket: Socket): Access {
  const tls = socket as Partial<TLSSocket>
  if (!tls.authorized || !access.passes) return access
  const name = JSON.stringify(tls.getPeerCertificate?.().subject?.CN ?? '')
  const decidedBy = access.decidedBy === 'nothing' ? 'mutual_tls' : access.decidedBy
  const text = () => `${access.text()} The mutual TLS module of ${edge.id} accepts the certificate of ${name}.`
  return { ...access, decidedBy, text }
}

/** The certificate check that a prediction cannot make. */
export function uncheckedCertificate(edge: Row): string | undefined {
  const module = mutualTlsOf(edge)
  if (!module) return undefined
  const signer = oneOf(module.certificate_authority_ids)
  return `The mutual TLS module of ${edge.id} also requires a certificate signed by ${signer}. This check does not cover certificates.`
}

/** `ca_a or ca_b` */
export const oneOf = (authorities: readonly string[]) => authorities.join(' or ') || 'an authority (none is set)'

export function withWarnings(access: Access, ...all: (string | undefined)[]): Access {
  const warnings = all.filter(each => each !== undefined)
  return warnings.length > 0 ? { ...access, warnings: [...access.warnings, ...warnings] } : access
}
