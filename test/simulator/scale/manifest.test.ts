import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { options } from '../../../src/simulator/options/options.ts'
import { root } from '../../support/afterwards.ts'

// biome-ignore lint/suspicious/noExplicitAny: Kubernetes manifests
type Manifest = Record<string, any>

const folder = join(root, 'examples/scale-out')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const documents = parseAllDocuments(read('kubernetes.yaml'), { strict: true })
const manifests: Manifest[] = documents.map(document => document.toJS())

const all = (kind: string) => manifests.filter(each => each.kind === kind)
const one = (kind: string, name: string) => {
  const found = all(kind).find(({ metadata }) => metadata.name === name)
  return found ?? expect.unreachable(`there is no ${kind} ${name}`)
}
const simulators = one('StatefulSet', 'edgesim')
const proxy = one('Deployment', 'edgesim-nginx')
const podOf = ({ spec }: Manifest): Manifest => spec.template.spec
const containerOf = (set: Manifest): Manifest => podOf(set).containers[0]
const settings: string = one('ConfigMap', 'edgesim-nginx').data['nginx.conf']
const pods = Array.from({ length: simulators.spec.replicas }, (_, i) => `edgesim-${i}`)

const withoutAddresses = (text: string) =>
  text.replace(/^( *server) \S+ /gm, '$1 ').replace(/^( *listen) \S+;/gm, '$1;')

describe('The manifest for Kubernetes', () => {
  it('contains nginx.conf unchanged except for addresses', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([])
    expect(withoutAddresses(settings)).toBe(withoutAddresses(read('nginx.conf')))
    expect(withoutAddresses(settings)).not.toMatch(/127\.0\.0\.1|460\d/)
  })

  it('has a Service for each pod, and nginx lists them all', () => {
    const servers = [...settings.matchAll(/^ *server (\S+) /gm)].map(([, address]) => address)
    expect(servers).toEqual(pods.map(pod => `${pod}:4600`))
    for (const pod of pods) {
      const spec = { ports: [{ port: 4600 }], publishNotReadyAddresses: true }
      expect(one('Service', pod).spec).toMatchObject(spec)
      expect(one('Service', pod).spec.selector).toEqual({ 'statefulset.kubernetes.io/pod-name': pod })
    }
  })

  it('has Services for existing pod ports', () => {
    const listening = /^ *listen (\d+);$/m.exec(settings)![1]
    expect(Number(listening)).toBe(containerOf(proxy).ports[0].containerPort)
    for (const [service, set] of [
      [one('Service', 'edgesim'), proxy],
      [one('Service', 'edgesim-pods'), simulators],
    ] as const) {
      expect(set.spec.selector.matchLabels).toEqual(set.spec.template.metadata.labels)
      expect(service.spec.selector).toEqual(set.spec.template.metadata.labels)
      expect(service.spec.ports[0].port).toBe(containerOf(set).ports[0].containerPort)
    }
    expect(simulators.spec.serviceName).toBe('edgesim-pods')
    expect(one('Service', 'edgesim-pods').spec.clusterIP).toBe('None')
    expect(all('Service')).toHaveLength(pods.length + 2)
  })

  it('starts edgesim with existing options, on the port of its probes', () => {
    const { args, env, ports, readinessProbe } = containerOf(simulators)
    const given = args.map((arg: string) => /^--([a-z-]+)(?:=(.+))?$/.exec(arg)!.slice(1))
    const known = Object.keys(options).map(name => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`))
    expect(known).toEqual(expect.arrayContaining(given.map(([name]: string[]) => name)))
    expect(given).toContainEqual(['port', String(ports[0].containerPort)])
    // The image is tested with this user.
    expect(podOf(simulators).securityContext).toEqual({ runAsNonRoot: true, runAsUser: 1000 })
    expect(containerOf(simulators).securityContext).toMatchObject({ readOnlyRootFilesystem: true })
    expect(given).toContainEqual(['allowed-host', one('Service', 'edgesim').metadata.name])
    expect(readinessProbe.httpGet).toEqual({ path: '/_sim/health', port: ports[0].name })
    const { name, key } = env[0].valueFrom.secretKeyRef
    expect(env[0].name).toBe('EDGESIM_CONTROL_TOKEN')
    expect(one('Secret', name).stringData).toHaveProperty(key)
    // Kubernetes would set EDGESIM_PORT and others for the Service named edgesim.
    for (const set of [simulators, proxy]) expect(podOf(set).enableServiceLinks).toBe(false)
  })

  it('mounts the nginx configuration and a writable folder', () => {
    const { command, volumeMounts } = containerOf(proxy)
    const { volumes } = podOf(proxy)
    const pathOf = (name: string) => volumeMounts.find((mount: Manifest) => mount.name === name).mountPath
    const [configured, run] = volumes
    expect(configured.configMap.name).toBe('edgesim-nginx')
    expect(run.emptyDir).toEqual({})
    expect(command.join(' ')).toContain(`-p ${pathOf(run.name)} -c ${pathOf(configured.name)}/nginx.conf`)
  })
})
