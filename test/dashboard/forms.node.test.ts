import { describe, expect, it } from 'vitest'
import {
  boundsOf,
  chosenField,
  errorsInside,
  initialValues,
  inputKind,
  mergeStored,
  plainField,
  rejectedField,
  sameValue,
} from '../../src/dashboard/parts/form-values.ts'
import type { FieldInfo, Json } from '../../src/dashboard/types.ts'
import { RequestError } from '../../src/dashboard/wire/request-error.ts'
import { describeResources } from '../../src/engine/describe/for-dashboard.ts'
import { ngrok } from '../../src/ngrok/api.ts'

const object = { type: 'object' }
const PORT = plainField('port', { schema: { type: 'integer', minimum: 1, maximum: 65535 } })
const PASSWORD = plainField('password', { write_only: true, required: true })
const TARGET = plainField('target', {
  schema: object,
  one_of: true,
  fields: [
    plainField('queue', {
      schema: object,
      fields: [plainField('arn', { required: true }), plainField('secret', { write_only: true })],
    }),
    plainField('url'),
  ],
})
const HEADERS = plainField('headers', {
  schema: { type: 'array', items: object },
  fields: [plainField('header', { required: true })],
})
const FIELDS = [
  PORT,
  PASSWORD,
  TARGET,
  HEADERS,
  plainField('mode', { default: 'off' }),
  plainField('state', { asked: false, required: true }),
]

const STORED = {
  id: 'x_1',
  port: 80,
  password_sha256: 'hash',
  target: { queue: { arn: 'a', secret_sha256: 'hash' }, url: null },
  headers: [{ header: 'x-a', hidden: 1 }],
  state: 'ready',
}

describe('A form', () => {
  it('starts with stored values and defaults, without secrets and hidden fields', () => {
    expect(initialValues(FIELDS, STORED)).toEqual({
      port: 80,
      password: undefined,
      target: { queue: { arn: 'a', secret: undefined } },
      headers: [{ header: 'x-a' }],
      mode: 'off',
    })
  })

  it.each<[string, Json, string | undefined]>([
    ['the field with a value', { queue: null, url: 'u' }, 'url'],
    ['the selected field, without a value', { url: undefined }, 'url'],
    ['none by default', {}, undefined],
  ])('shows one field of a group: %s', (_, value, name) => {
    expect(chosenField(TARGET.fields!, value)?.name).toBe(name)
  })

  it.each([
    [undefined, '', true],
    [null, undefined, true],
    [{ a: [1] }, { a: [1] }, true],
    [0, '', false],
    [false, undefined, false],
  ])('compares %j with %j: equal is %j', (a, b, same) => {
    expect(sameValue(a, b)).toBe(same)
  })

  it('preserves hashes of unchanged secrets, and replaces changed secrets', () => {
    const typed = { port: 81, password: undefined, target: { queue: { arn: 'b', secret: undefined } } }
    expect(mergeStored(FIELDS.slice(0, 3), typed, STORED)).toEqual({
      ...STORED,
      port: 81,
      target: { queue: { arn: 'b', secret_sha256: 'hash' } },
    })
    const { password_sha256, ...rest } = STORED
    const given = { ...typed, port: 80, password: 'new', target: { queue: { arn: 'a', secret: 'new' } } }
    expect(mergeStored(FIELDS.slice(0, 3), given, STORED)).toEqual({
      ...rest,
      password: 'new',
      target: { queue: { arn: 'a', secret: 'new' } },
    })
  })
})

it('Every declared field has an input', () => {
  const { kinds, modules } = describeResources(ngrok)
  const withoutInput = (fields: readonly FieldInfo[]): string[] =>
    fields
      .filter(({ asked }) => asked)
      .flatMap(field => (field.fields ? withoutInput(field.fields) : inputKind(field) ? [] : [field.name]))
  expect([...kinds, ...modules].flatMap(({ fields }) => withoutInput(fields))).toEqual([])
  expect(withoutInput([plainField('odd', { schema: {} })])).toEqual(['odd'])
})

describe('A form problem', () => {
  const rejected = (field: string) => new RequestError(400, 'No.', '', { field })

  it.each<[string, Json, string | undefined]>([
    ['port', {}, 'port'],
    ['headers[1].header', { headers: [{}, {}] }, 'headers[1].header'],
    ['headers[1].unknown', { headers: [{}, {}] }, 'headers'],
    ['target.queue.arn', { target: { queue: {} } }, 'target.queue.arn'],
    ['target.queue.arn', { target: { url: '' } }, 'target'],
    ['target.queue', { target: undefined }, 'target'],
    ['state', {}, undefined],
    ['unknown', {}, undefined],
  ])('for rejected %s in %j is shown at %s', (field, values, at) => {
    expect(rejectedField(FIELDS, values, rejected(field))).toEqual(at ? { [at]: 'No.' } : {})
  })

  it('has a path relative to its group', () => {
    expect(errorsInside({ 'target.queue.arn': 'No.', port: 'No.' }, 'target.')).toEqual({ 'queue.arn': 'No.' })
  })

  it.each([
    [{ minimum: 1, maximum: 2 }, '1 to 2'],
    [{ minimum: 1 }, 'at least 1'],
    [{ maximum: 2 }, 'up to 2'],
    [{}, ''],
  ])('shows the bounds %j as %j', (schema, text) => {
    expect(boundsOf(schema)).toBe(text)
  })
})
