import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Decision } from '../contract/traffic.ts'
import type { Row } from '../schema/index.ts'
import type { Access, Tables } from '../state/index.ts'

/** How an edge ends the TLS of its clients. */
export interface TlsSettings {
  minVersion: '1.2' | '1.3'
  /** One of them must have signed the certificate of a client. Undefined where clients need none. */
  authorities: Row[] | undefined
}

interface MutualTls {
  enabled: boolean
  certificate_authority_ids: string[]
}

interface Termination {
  enabled: boolean
  min_version: '1.2' | '1.3'
  /** An HTTPS edge has no such setting: it always ends TLS. */
  terminate_at?: 'edge' | 'upstream'
}

/** A module that is not enabled counts as none. */
const enabled = <T extends { enabled: boolean }>(module: unknown) =>
  (module as T | undefined)?.enabled ? (module as T) : undefined
const terminationOf = (edge: Row) => enabled<Termination>(edge.tls_termination)
const mutualTlsOf = (edge: Row) => enabled<MutualTls>(edge.mutual_tls)

/** docs/edges.md: a TLS edge passes TLS on to its upstream unless a TLS termination module says otherwise. */
export const endsTls = (kind: Decision['kind'], edge: Row) =>
  kind === 'https' || (kind === 'tls' && terminationOf(edge)?.terminate_at === 'edge')

/** The settings of an edge that ends TLS. */
export const tlsSettingsOf = (tables: Tables, edge: Row): TlsSettings => ({
  minVersion: terminationOf(edge)?.min_version ?? '1.2',
  authorities: mutualTlsOf(edge)?.certificate_authority_ids.flatMap(
    id => tables.of('certificate_authorities').get(id) ?? [],
  ),
})

/** Why the mutual TLS module of an edge has no effect on a connection; undefined where it has, or there is none. */
export function mutualTlsWarning(kind: Decision['kind'], edge: Row, plain: boolean): string | undefined {
  if (!mutualTlsOf(edge) || (endsTls(kind, edge) && !plain)) return undefined
  const why = plain ? 'this address speaks plain HTTP' : 'TLS ends at the upstream, which alone sees certificates'
  return `The mutual TLS module of ${edge.id} has no effect: ${why}.`
}

/** Adds the part of a mutual TLS module that let the client of this connection pass. */
export function withCertificate(access: Access, edge: Row, socket: Socket): Access {
  const tls = socket as Partial<TLSSocket>
  if (!tls.authorized || !access.passes) return access
  const name = JSON.stringify(tls.getPeerCertificate?.().subject?.CN ?? '')
  const decidedBy = access.decidedBy === 'nothing' ? 'mutual_tls' : access.decidedBy
  const text = () => `${access.text()} The mutual TLS module of ${edge.id} accepts the certificate of ${name}.`
  return { ...access, decidedBy, text }
}

/** What a check without a connection leaves open. */
export function uncheckedCertificate(edge: Row): string | undefined {
  const module = mutualTlsOf(edge)
  if (!module) return undefined
  const signer = oneOf(module.certificate_authority_ids)
  return `The mutual TLS module of ${edge.id} also asks for a certificate signed by ${signer}: this check has none to look at.`
}

/** `ca_a or ca_b` */
export const oneOf = (authorities: readonly string[]) => authorities.join(' or ') || 'an authority, but it names none'

export function withWarnings(access: Access, ...all: (string | undefined)[]): Access {
  const warnings = all.filter(each => each !== undefined)
  return warnings.length > 0 ? { ...access, warnings: [...access.warnings, ...warnings] } : access
}
