import { isIPv4, isIPv6 } from 'node:net'
import * as z from 'zod'
import { issue } from './flaw.ts'

const HOST_PORT = /^(\[[^\]]+\]|[^:[\]/@\s]+):(\d{1,5})$/
const NAME = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i

/** `127.0.0.1:5432`, `[::1]:22`, `db.internal:5432` */
export function isHostPort(text: string, leastPort = 0): boolean {
  const [, host, port] = HOST_PORT.exec(text) ?? []
  if (host === undefined || Number(port) < leastPort || Number(port) > 65535) return false
  return host.startsWith('[') ? isIPv6(host.slice(1, -1)) : isIPv4(host) || (NAME.test(host) && !/^[\d.]+$/.test(host))
}

const address = (expected: string, fits: (text: string) => boolean) =>
  z.string().check(ctx => {
    if (!fits(ctx.value)) issue(ctx, { expected })
  })

/** Where an edge listens: a port of 0 takes any that is free. */
export const listenAddress = (schemes: string[] = []) =>
  address(`an address like ${['127.0.0.1:0', ...schemes.map(scheme => `${scheme}127.0.0.1:0`)].join(' or ')}`, text =>
    isHostPort(text.replace(schemes.find(scheme => text.startsWith(scheme)) ?? '', '')),
  )

/** Where an edge forwards connections to. */
export const upstreamAddress = () => address('an address like 127.0.0.1:5432', text => isHostPort(text, 1))

/** Where an edge forwards requests to. */
export const upstreamUrl = () =>
  address('a URL like http://127.0.0.1:3000', text => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
