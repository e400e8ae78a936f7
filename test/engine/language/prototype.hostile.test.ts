import { expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { apiRoutes, controlRoutes, type Route, simulate } from '../../support/in-process.ts'
import { samples } from '../../support/long.ts'
import { forEach, pooledClient } from '../../support/raw-http.ts'

const { call, as, port, notices } = await simulate()
const inherited = Object.getOwnPropertyNames(Object.prototype)

const WORDS = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString']
const nest = (word: string, value: string) => [
  `{"${word}":${value}}`,
  `{"description":"x","${word}":${value}}`,
  `{"module":{"${word}":${value}}}`,
  `{"add":{"${word}":"polluted"},"remove":["${word}"]}`,
  `{"users":[{"id":"usr_x","name":"X","${word}":${value}}]}`,
  `{"where":{"${word}":${value},"body.${word}.polluted":true}}`,
  `{"sequence":[{"${word}":1}],"name":"polluted","rules":[{"${word}":${value}}],"assume":{"${word}":"accept"}}`,
  `{"fixture":{"${word}":${value}},"scenario":{"${word}":${value}},"seed":"${word}"}`,
]
const values = ['{"polluted":true}', '[{"__proto__":{"polluted":true}}]']
// JSON.parse creates an own field __proto__, which an object literal can't have.
const texts = WORDS.flatMap((word, i) =>
  values.slice(0, i === 0 ? 2 : samples(1, 2)).flatMap(value => nest(word, value)),
)
const bodies = texts.map(text => JSON.parse(text))

function expectClean() {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(([] as unknown as Record<string, unknown>).polluted).toBeUndefined()
  expect(notices.filter(({ level }) => level === 'error')).toEqual([])
}

it('Object.prototype is unchanged, whatever a body contains', async () => {
  const client = pooledClient(port, 8)
  const writing = ({ method, path }: Route) => ['POST', 'PUT', 'PATCH'].includes(method) && !path.includes('/default/')
  const routes = [...apiRoutes, ...(await controlRoutes(call))].filter(writing)
  for (const { method, path } of routes) {
    await forEach(bodies, 8, async body => {
      const { status, text } = await client.send({ method, path, body })
      if (status >= 500) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${text}`)
    })
    expectClean()
  }
  client.close()
})

it('__proto__ is rejected like any other unknown field', async () => {
  const body = JSON.parse('{"__proto__":{"polluted":true}}')
  expectError(await call('POST', '/api_keys', body), 400, 214)
  for (const path of ['/_sim/sandboxes', '/_sim/requests/verify', '/_sim/db/users', '/_sim/reset'])
    expectError(await call('POST', path, body), 400, 400)
  for (const path of ['/_sim/state', '/_sim/clock', '/_sim/db/users/usr_admin', '/_sim/scenario'])
    expectError(await call('PUT', path, body), 400, 400)
})

it.each(WORDS)('%s is an ordinary name of a sandbox, id, parameter, header or sort field', async word => {
  const responses = [
    ...(await Promise.all(
      apiRoutes.map(({ method, path }) =>
        call(method, path.replaceAll('nobody', word), method === 'GET' ? undefined : {}),
      ),
    )),
    await call('GET', `/api_keys?${word}=1&${word}[polluted]=1&limit[${word}]=1`),
    await call('GET', '/api_keys', undefined, { headers: { [word]: 'polluted' } }),
    await as(`sim_admin~${word}`)('GET', '/api_keys'),
    await as(word)('GET', '/api_keys'),
    await call('GET', `/_sim/${word}`),
    await call('GET', `/_sim/db/${word}`),
    await call('PUT', `/_sim/db/${word}/${word}`, { polluted: true }),
    await call('GET', `/_sim/db/users/${word}`),
    await call('GET', `/_sim/db/users?${word}=1&${word}.polluted=1&_sort=${word}`),
    await call('GET', `/_sim/db/users?_where=${encodeURIComponent(`{"${word}":{"polluted":true}}`)}`),
    await call('GET', `/_sim/requests?${word}=1`),
    await call('GET', `/_sim/requests/${word}`),
    await call('POST', `/_sim/requests/${word}/rewind`),
    await call('PUT', `/_sim/snapshots/${word}`),
    await call('POST', `/_sim/snapshots/${word}/restore`),
    await call('GET', `/_sim/sandboxes/${word}/state`),
    await call('DELETE', `/_sim/sandboxes/${word}`),
  ]
  expect(responses.filter(({ status }) => status >= 500)).toEqual([])
  expectClean()
})

it('Inherited properties of a record or an expectation are not found', async () => {
  const response = await call('POST', '/_sim/requests/verify', {
    where: { 'body.constructor.name': 'Object', 'body.__proto__': {} },
  })
  expect(response.status).toBe(409)
  expect((await call('GET', '/_sim/db/constructor')).status).toBe(404)
  expect((await call('GET', '/_sim/db/users/constructor')).status).toBe(404)
})
