import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { whyUnwritable } from '../../engine/files/file-error.ts'
import { distribution } from '../../engine/files/package.ts'
import { MAX_CERTIFICATE_MB, readTextOf } from '../../engine/files/read-file.ts'
import { replaceFile } from '../../engine/files/replace-file.ts'
import type { StandIn } from './stand-in.ts'

/** Trusted certificates on Linux distributions, macOS and BSD. */
const SYSTEM_ROOTS = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Each sets a file that replaces the system's certificates: for OpenSSL and Go, Python's requests, curl. */
const REPLACING = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

/** Hosts that clients reach without a proxy. */
const LOOPBACK = 'localhost,127.0.0.1,::1'

type Variables = Record<string, string>

export interface EnvironmentOptions {
  url: string
  token: string | null
  controlToken?: string
  /** The simulator's certificates in PEM, for clients to trust. */
  certificate: string | undefined
  /** The folder of `--tls-dir`, which contains the certificate. */
  tlsDir?: string
  standIn: StandIn | undefined
}

/** The variables that let clients find and trust this simulator, and the files in them. */
export class Environment {
  #folder: string | undefined
  #variables: Variables | undefined
  #certificateFile: string | undefined
  readonly #env: NodeJS.ProcessEnv

  constructor(
    readonly options: EnvironmentOptions,
    env = process.env,
  ) {
    this.#env = { ...env }
  }

  /** The file with the simulator's certificates. Files are written on first use. */
  get certificateFile(): string | undefined {
    const { certificate, tlsDir, standIn } = this.options
    if (certificate === undefined) return undefined
    this.#certificateFile ??=
      tlsDir === undefined || standIn ? this.#write('ca.pem', certificate) : resolve(tlsDir, 'ca.pem')
    return this.#certificateFile
  }

  /** Without the control token, and not merged with a client's variables (see `overlay`). */
  get variables(): Variables {
    const { url, token } = this.options
    this.#variables ??= { EDGESIM_URL: url, EDGESIM_TOKEN: token ?? '', ...this.#trust(), ...this.#standIn() }
    return this.#variables
  }

  /** For a process that this process starts. */
  get forProgram(): Variables {
    const { controlToken } = this.options
    const own: Variables = controlToken === undefined ? {} : { EDGESIM_CONTROL_TOKEN: controlToken }
    return { ...overlay(this.variables, this.#env), ...own }
  }

  close() {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Makes clients trust the simulator's certificates in addition to their own. */
  #trust(): Variables {
    const { certificateFile } = this
    if (certificateFile === undefined) return {}
    const env = this.#env
    const bundle = (name: string, others: string) => [
      name,
      this.#write(`${name}.pem`, `${this.options.certificate}\n${others}`),
    ]
    const roots =
      textOf(env.SSL_CERT_FILE, ...SYSTEM_ROOTS) ?? process.getBuiltinModule('node:tls').rootCertificates.join('\n')
    return {
      EDGESIM_CERTIFICATE: certificateFile,
      ...Object.fromEntries([
        // Node trusts this file in addition to its built-in certificates.
        bundle('NODE_EXTRA_CA_CERTS', textOf(env.NODE_EXTRA_CA_CERTS) ?? ''),
        ...REPLACING.map(name => bundle(name, textOf(env[name]) ?? roots)),
      ]),
    }
  }

  /** Node processes load a file that redirects their connections. Other clients use the proxy. */
  #standIn(): Variables {
    const { standIn } = this.options
    if (!standIn) return {}
    const { proxy, ports } = standIn
    const file = 'bin/stand-in.cjs'
    const preload = distribution.pathOf(file) ?? this.#write('stand-in.cjs', distribution.read(file))
    return {
      HTTPS_PROXY: proxy,
      HTTP_PROXY: proxy,
      https_proxy: proxy,
      http_proxy: proxy,
      NO_PROXY: LOOPBACK,
      no_proxy: LOOPBACK,
      NODE_OPTIONS: `--require=${JSON.stringify(preload)}`,
      EDGESIM_STAND_IN: JSON.stringify(ports),
    }
  }

  #write(name: string, text: string | Buffer): string {
    try {
      this.#folder ??= mkdtempSync(join(tmpdir(), `edgesim-${process.pid}-`))
      const file = join(this.#folder, name)
      replaceFile(file, text)
      return file
    } catch (error) {
      const why = whyUnwritable(error, join(tmpdir(), name))
      throw new SimulatorError(
        'INVALID_FILE',
        `Cannot write certificates for clients: ${why}. Set TMPDIR to a writable directory.`,
      )
    }
  }
}

/** Merges the variables with a client's own: appends to its Node options and to its hosts without a proxy. */
export function overlay(variables: Variables, env: NodeJS.ProcessEnv): Variables {
  const { NODE_OPTIONS: added, EDGESIM_STAND_IN: ports } = variables
  if (ports === undefined) return variables
  const before = env.NODE_OPTIONS?.trim() ?? ''
  const hosts = Object.keys(JSON.parse(ports))
  // Both spellings get the same value, because on Windows they are one variable.
  const own = `${env.NO_PROXY ?? ''},${env.no_proxy ?? ''}`
    .split(/[\s,]+/)
    .filter(each => each !== '' && !hosts.some(host => matches(each, host)))
  const withoutProxy = [...new Set([...variables.NO_PROXY!.split(','), ...own])].join(',')
  return {
    ...variables,
    NO_PROXY: withoutProxy,
    no_proxy: withoutProxy,
    NODE_OPTIONS: before.includes(added!) ? before : [before, added].filter(Boolean).join(' '),
  }
}

/** Whether an entry of NO_PROXY matches the host: its name, a parent domain, or all hosts. */
function matches(entry: string, host: string): boolean {
  const name = entry
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\*?\./, '')
  return name === '*' || name === '' || host === name || host.endsWith(`.${name}`)
}

/** The content of the first readable file. */
export function textOf(...files: (string | undefined)[]): string | undefined {
  for (const file of files) {
    try {
      if (file) return readTextOf(file, MAX_CERTIFICATE_MB)
    } catch {}
  }
  return undefined
}
