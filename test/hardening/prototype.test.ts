import { expect, it } from 'vitest'
import { operations } from '../../src/resources/index.ts'
import { forEach } from '../control/many-calls.ts'
import { type Answer, simulate } from '../support/simulate.ts'
import { apiRoutes, controlRoutes } from './routes.ts'

const defects: string[] = []
const { call, as } = await simulate({}, { onNotice: ({ level, text }) => level === 'error' && defects.push(text) })
const inherited = Object.getOwnPropertyNames(Object.prototype)

const WORDS = ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString']
const values = ['{"polluted":true}', '"polluted"', '[{"polluted":true}]', '{"__proto__":{"polluted":true}}']
const nest = (word: string, value: string) => [
  `{"${word}":${value}}`,
  `{"description":"x","${word}":${value}}`,
  `{"module":{"${word}":${value}}}`,
  `{"add":{"${word}":"polluted"},"remove":["${word}"]}`,
  `{"users":[{"id":"usr_x","name":"X","${word}":${value}}]}`,
  `{"where":{"${word}":${value},"body.${word}.polluted":true},"sequence":[{"${word}":1}]}`,
  `{"name":"box","fixture":{"${word}":${value}},"seed":"${word}"}`,
]
const bodies = WORDS.flatMap(word => values.flatMap(value => nest(word, value)))

const send = (method: string, path: string, raw: string): Promise<Answer> =>
  call(method, path, undefined, { raw, headers: { 'content-type': 'application/json' } })

function expectClean(answer: Answer, what: string) {
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(500)
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(([] as unknown as Record<string, unknown>).polluted).toBeUndefined()
}

it('keeps Object.prototype clean, whatever a body holds', async () => {
  const control = await controlRoutes(call)
  const routes = [...apiRoutes, ...control].filter(
    ({ method, path }) => ['POST', 'PUT', 'PATCH'].includes(method) && !path.includes('/default/'),
  )
  for (const { method, path } of routes) {
    await forEach(bodies, 8, async body => expectClean(await send(method, path, body), `${method} ${path} ${body}`))
  }
  expect(defects).toEqual([])
})

it.each(WORDS)('takes %s for a name like any other: of a sandbox, an id, a parameter, a header, a field to sort by', async word => {
  const answers = [
    ...(await Promise.all(
      operations.map(({ method, path }) => call(method, path.replace(/\{\w+\}/g, word), method === 'GET' ? undefined : {})),
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
  for (const answer of answers) expectClean(answer, word)
  expect(defects).toEqual([])
})

it('finds nothing that a record or an expectation merely inherits', async () => {
  const answer = await call('POST', '/_sim/requests/verify', {
    where: { 'body.constructor.name': 'Object', 'body.__proto__': {} },
  })
  expect(answer.status).toBe(409)
  expect((await call('GET', '/_sim/db/constructor')).status).toBe(404)
  expect((await call('GET', '/_sim/db/users/constructor')).status).toBe(404)
})
