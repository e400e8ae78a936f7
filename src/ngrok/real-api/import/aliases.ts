import { isIPv4, isIPv6 } from 'node:net'
import { isLoopback } from '../../../basics/cidr.ts'
import { addressParts } from '../../resources/edges/address.ts'
import { kinds } from '../../resources/index.ts'
import { vendorHosts } from '../../vendor.ts'
import { DocumentationBlocks } from './documentation-blocks.ts'
import type { Report } from './report.ts'
import { splitUrl } from './url.ts'

const PREFIXES = new Set<string | undefined>(kinds.map(({ prefix }) => prefix))

/** Values that many accounts share are unchanged. All others are replaced, because they could identify the account. */
const PLACE = /^([a-z]{2}|us-cal-1|global)$/
const SCHEME = /^(https?|tcp|tls|wss?|ssh):\/\/$/
const AWS = /^aws(-cn|-us-gov)?$/
const AWS_SERVICE = /^(iam|kinesis|firehose|logs)$/
const AWS_REGION = /^([a-z]{2}(-gov)?-(north|south|east|west|central|(north|south)(east|west))-\d)?$/
const ARN_RESOURCE = /^((?:role|user|stream|deliverystream)\/|(?:log-group|log-stream):)?(.*)$/s
const PROGRAM_WORDS = new Set([
  ...'linux darwin windows macos freebsd openbsd android chromeos ubuntu debian fedora'.split(' '),
  ...'chrome chromium firefox safari opera edge mobile desktop tablet phone'.split(' '),
  ...'ngrok http https alpha beta bindings ingress gateway'.split(' '),
  ...'github gitlab bitbucket slack stripe shopify twilio sendgrid pagerduty zendesk zoom'.split(' '),
])

/** Numbered replacements: equal inputs get the same one, different inputs different ones. */
class Numbered {
  readonly #known = new Map<string, string>()
  readonly #name: (n: number) => string

  constructor(name: (n: number) => string) {
    this.#name = name
  }

  of(text: string): string {
    const known = this.#known.get(text) ?? this.#name(this.#known.size + 1)
    this.#known.set(text, known)
    return known
  }
}

/** The replacements of an anonymous fixture. */
export class Aliases {
  readonly #ids = new Map<string, Numbered>()
  readonly #names = new Numbered(n => `name${n}`)
  readonly #numbers = new Numbered(String)
  readonly #labels = new Numbered(n => `part${n}`)
  readonly #domains = new Numbered(n => `host${n}`)
  readonly #people = new Numbered(n => `person${n}`)
  readonly #blocks: DocumentationBlocks
  readonly #suffixes: string[]

  constructor(vendor: string, report: Report) {
    const { suffixes, cname, tcp } = vendorHosts(vendor)
    this.#suffixes = [...suffixes, cname, tcp, 'internal']
    this.#blocks = new DocumentationBlocks(report)
  }

  /** The prefix, which identifies the kind, is unchanged: `ak_2xYz` → `ak_anon1` */
  id = (id: string): string => {
    const [given] = id.split('_', 1)
    const prefix = id.includes('_') && PREFIXES.has(given) ? given! : 'id'
    const ids = this.#ids.get(prefix) ?? new Numbered(n => `${prefix}_anon${n}`)
    this.#ids.set(prefix, ids)
    return ids.of(id)
  }

  /** Version strings and similar are unchanged, unless they contain unknown words: these could be personal. */
  plain = (text: string): string =>
    (text.match(/\p{L}{4,}|\d{5,}/gu) ?? []).every(word => PROGRAM_WORDS.has(word.toLowerCase()))
      ? text
      : this.#names.of(text)

  /** Replaces each part of a path or ARN separately, so it stays valid. */
  name = (text: string): string => {
    const [, partition, service, region, resource] = /^arn:([^:]*):([^:]*):([^:]*):[^:]*:(.*)$/s.exec(text) ?? []
    if (resource !== undefined) {
      const [, type = '', rest] = ARN_RESOURCE.exec(resource)!
      const [whose, where] = [AWS.test(partition!) ? partition : 'aws', AWS_REGION.test(region!) ? region : 'us-east-1']
      return `arn:${whose}:${AWS_SERVICE.test(service!) ? service : 'iam'}:${where}:123456789012:${type}${this.name(rest!)}`
    }
    return text.replace(/[^/]+/g, part => (/^\d+$/.test(part) ? this.#numbers : this.#names).of(part))
  }

  email = (text: string): string => {
    const at = text.lastIndexOf('@')
    if (text === '') return ''
    return at < 0 ? this.#people.of(text) : `${this.#people.of(text.slice(0, at))}@${this.#host(text.slice(at + 1))}`
  }

  /** An IP address with or without a port, a CIDR block, or a region. */
  address = (text: string): string => {
    const { host, port } = addressParts(text)
    if (host !== undefined && port !== undefined) {
      const alias = this.address(host)
      return `${isIPv6(alias) ? `[${alias}]` : alias}:${port}`
    }
    if (PLACE.test(text)) return text
    const [bare, length] = text.split('/') as [string, string?]
    if (!isIPv4(bare) && !isIPv6(bare)) return text === '' ? '' : this.#names.of(text)
    if (length === '0' || isLoopback(bare)) return text
    return this.#blocks.of(bare, length === undefined ? undefined : Number(length))
  }

  /** A host on its own, with a port, in a URL, or in an ACL rule of a credential. */
  host = (text: string): string => {
    const [, rule = '', rest] = /^(bind:)?(.*)$/s.exec(text)!
    const { scheme, host, path } = splitUrl(rest!)
    const [, star, name, port] = /^(\*\.)?(\[[\da-f:.]*\]|[^:]*)(:\d+)?$/is.exec(host) ?? []
    if (name === undefined || (scheme !== '' && !SCHEME.test(scheme))) return `${rule}${this.#names.of(rest!)}`
    return `${rule}${scheme}${star ?? ''}${this.#host(name!)}${port ?? ''}${this.name(path)}`
  }

  #host(name: string): string {
    const bare = name.replace(/^\[|\]$/g, '')
    if (isIPv4(bare)) return this.address(bare)
    if (isIPv6(bare)) return name.startsWith('[') ? `[${this.address(bare)}]` : this.address(bare)
    if (/^(localhost|\*)?$/i.test(bare)) return name
    const lower = bare.toLowerCase().replace(/\.$/, '')
    const dot = bare.endsWith('.') ? '.' : ''
    // Names under the vendor's domains stay there, because other rules apply to them.
    const suffix = this.#suffixes.find(each => lower === each || lower.endsWith(`.${each}`))
    const parts = lower
      .slice(0, suffix === undefined ? undefined : -suffix.length)
      .split('.')
      .filter(Boolean)
    if (suffix !== undefined) return `${[...parts.map(part => this.#label(part)), suffix].join('.')}${dot}`
    const below = parts.slice(0, -2).map(part => this.#label(part))
    const domain = this.#domains.of(parts.slice(-2).join('.'))
    return `${[...below, parts.length > 1 ? `${domain}.example` : domain].join('.')}${dot}`
  }

  #label = (part: string) => (part === '*' ? part : this.#labels.of(part))
}
