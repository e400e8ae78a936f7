import { describe, expect, it } from 'vitest'
import { Resolver } from '../../../src/ngrok/access/resolver.ts'
import { ask } from '../../support/http.ts'
import { talk } from '../../support/raw-http.ts'
import { httpsEdge, tcpEdge, withEdges } from './edges.ts'

/** Addresses of other machines. A careless check takes some for this machine. */
const ELSEWHERE = [
  ...'169.254.169.254:80 192.0.2.1:80 10.0.0.1:80 0.0.0.0:80 [::]:80 [::ffff:169.254.169.254]:80'.split(' '),
  ...'[::ffff:a9fe:a9fe]:80 [64:ff9b::a9fe:a9fe]:80 [fe80::1]:80 [2001:db8::1]:80 2852039166:80'.split(' '),
  ...'0xa9fea9fe:80 0xa9.0xfe.0xa9.0xfe:80 0251.0376.0251.0376:80 169.254.43518:80'.split(' '),
  ...'metadata.google.internal:80 localhost.evil.invalid:80 127.0.0.1.evil.invalid:80'.split(' '),
]

describe('An upstream', async () => {
  const { portOf, latest, call } = await withEdges({ ...tcpEdge(1), ...httpsEdge(1) })

  it.each(ELSEWHERE)('on another machine gets nothing, written as %s', async upstream => {
    const put = (path: string, body: object) => call('PATCH', `/_sim/db/${path}`, body)
    const accepted = [
      (await put('tcp_edges/edgtcp_a', { upstream })).status,
      (await put('https_edges/edghts_a', { routes: [{ id: 'edghtsrt_a', upstream: `http://${upstream}` }] })).status,
    ]
    for (const status of accepted) expect([200, 400]).toContain(status)
    if (accepted[0] === 200) {
      expect((await talk(await portOf('edgtcp_a'), 'x')).said).toBe('')
      expect((await latest()).failure).toMatch(/not on this machine|cannot use the upstream/)
    }
    if (accepted[1] === 200) {
      const { status, text } = await ask(`http://127.0.0.1:${await portOf('edghts_a')}/`)
      expect(status).toBe(502)
      expect(text).toMatch(/not on this machine|ENOTFOUND|EAI_AGAIN|ENODATA|cannot use the upstream/)
    }
  })

  it('on this machine can be written in several ways', async () => {
    const resolver = new Resolver([])
    for (const host of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', 'localhost'])
      expect((await resolver.resolve(host)).join(), host).toMatch(/^((::1|127\.|::ffff:127\.)[^,]*,?)+$/)
  })

  it('is resolved once', async () => {
    const resolver = new Resolver([])
    expect(resolver.resolve('localhost')).toBe(resolver.resolve('localhost'))
  })
})
