import { describe, expect, it } from 'vitest'
import type { Collection, Field, Fields } from '../../../src/engine/language/index.ts'
import { contentOf } from '../../../src/ngrok/real-api/import/content.ts'
import { kinds } from '../../../src/ngrok/resources/index.ts'

const leavesOf = (fields: Fields, at: string): [path: string, field: Field][] =>
  Object.entries(fields)
    .filter(([, { derived }]) => !derived)
    .flatMap(([name, field]) =>
      field.group ? leavesOf(field.group, `${at}.${name}`) : [[`${at}.${name}`, field] as [string, Field]],
    )
const leaves = kinds.flatMap(kind => [
  ...leavesOf(kind.fields, kind.table),
  ...leavesOf((kind as Partial<Collection>).stored ?? {}, kind.table),
])
const pathsThatHold = (what: string) => leaves.filter(([, field]) => contentOf(field) === what).map(([path]) => path)

describe('The content of a field', () => {
  it('is declared for every field, so a copied account has no unexpected content', () => {
    expect(leaves.length).toBeGreaterThan(200)
    expect(leaves.filter(([, field]) => contentOf(field) === undefined).map(([path]) => path)).toEqual([])
  })

  it('is a secret if the field name suggests it', () => {
    const named = leaves.filter(([path]) => /(secret|token|api_key|access_key|private_key_pem)[^.]*$/.test(path))
    expect(named.length).toBeGreaterThan(10)
    const notSecret = named.filter(([, field]) => contentOf(field) !== 'secret').map(([path]) => path)
    expect(notSecret).toEqual([])
  })

  it('is text if users can write anything in the field', () => {
    expect(pathsThatHold('text')).toEqual(
      expect.arrayContaining([
        ...leaves.map(([path]) => path).filter(path => /\.(description|metadata)$/.test(path)),
        'endpoints.traffic_policy',
        'http_response_backends.body',
        'http_response_backends.headers',
        'https_edge_routes.request_headers.add',
        'https_edge_routes.saml.idp_metadata',
      ]),
    )
  })
})
