import { describe, expect, it } from 'vitest'
import { boundsOf, errorsInside, problemsIn, rejectedField } from '../../src/dashboard/parts/field-errors.ts'
import {
  chosenField,
  initialValues,
  invalidJson,
  mergeStored,
  plainField,
  sameValue,
} from '../../src/dashboard/parts/form-values.ts'
import type { Json } from '../../src/dashboard/types.ts'
import { RequestError } from '../../src/dashboard/wire/request-error.ts'

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
const WEIGHTS = plainField('weights', { schema: { ...object, additionalProperties: { type: 'integer' } } })
const FIELDS = [
  PORT,
  PASSWORD,
  TARGET,
  HEADERS,
  WEIGHTS,
  plainField('extra', { schema: {} }),
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
  it('starts with what is stored and with defaults, without secrets and what is not asked for', () => {
    expect(initialValues(FIELDS, STORED)).toEqual({
      port: 80,
      password: undefined,
      target: { queue: { arn: 'a', secret: undefined } },
      headers: [{ header: 'x-a' }],
      weights: undefined,
      extra: undefined,
      mode: 'off',
    })
  })

  it.each<[string, Json, string | undefined]>([
    ['the one that has a value', { queue: null, url: 'u' }, 'url'],
    ['the one that was chosen, without a value yet', { url: undefined }, 'url'],
    ['none at first', {}, undefined],
  ])('shows of the members of a group %s', (_, value, name) => {
    expect(chosenField(TARGET.fields!, value)?.name).toBe(name)
  })

  it.each([
    [undefined, '', true],
    [null, undefined, true],
    [{ a: [1] }, { a: [1] }, true],
    [0, '', false],
    [false, undefined, false],
  ])('compares %j with %j: the same is %j', (a, b, same) => {
    expect(sameValue(a, b)).toBe(same)
  })

  it('keeps hashes of secrets that are not given again, and replaces those that are', () => {
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

describe('What is wrong in a form', () => {
  it.each<[string, Json, Record<string, string>]>([
    ['too small a number', { port: 0 }, { port: 'port must be 1 to 65535, got 0.' }],
    ['too big a number', { port: 65536 }, { port: 'port must be 1 to 65535, got 65536.' }],
    ['a part of a number', { port: 1.5 }, { port: 'port must be an integer.' }],
    ['no number', { port: Number.NaN }, { port: 'port must be a number.' }],
    ['no number among values', { weights: { a: Number.NaN } }, { weights: 'weights values must be numbers.' }],
    ['half a text of JSON', { extra: invalidJson('{', 'it ends') }, { extra: 'extra must be JSON: it ends' }],
    ['nothing that is wrong', { port: 1, target: { url: 'u' }, headers: [{ header: '' }] }, {}],
  ])('is told while it is typed: %s', (_, values, problems) => {
    expect(problemsIn(FIELDS, values, { missing: false })).toEqual(problems)
  })

  it('is what is missing, once the form was sent, also in groups and lists', () => {
    const values = { target: { queue: { arn: '' } }, headers: [{ header: 'x' }, {}] }
    expect(problemsIn(FIELDS, values, { missing: true })).toEqual({
      password: 'password is required.',
      'target.queue.arn': 'arn is required.',
      'headers[1].header': 'header is required.',
    })
  })

  it('is no secret that the record has already', () => {
    expect(problemsIn([PASSWORD], {}, { existing: STORED, missing: true })).toEqual({})
  })

  const refused = (field: string) => new RequestError(400, 'No.', '', { field })

  it.each<[string, Json, string | undefined]>([
    ['port', {}, 'port'],
    ['headers[1].header', { headers: [{}, {}] }, 'headers[1].header'],
    ['headers[1].unknown', { headers: [{}, {}] }, 'headers'],
    ['target.queue.arn', { target: { queue: {} } }, 'target.queue.arn'],
    ['target.queue.arn', { target: { url: '' } }, 'target'],
    ['target.queue', { target: undefined }, 'target'],
    ['state', {}, undefined],
    ['unknown', {}, undefined],
  ])('is shown, if the API refused %s, of %j at %s', (field, values, at) => {
    expect(rejectedField(FIELDS, values, refused(field))).toEqual(at ? { [at]: 'No.' } : {})
  })

  it('is handed to the fields inside a field without the path to it', () => {
    expect(errorsInside({ 'target.queue.arn': 'No.', port: 'No.' }, 'target.')).toEqual({ 'queue.arn': 'No.' })
  })

  it.each([
    [{ minimum: 1, maximum: 2 }, '1 to 2'],
    [{ minimum: 1 }, 'at least 1'],
    [{ maximum: 2 }, 'at most 2'],
    [{}, ''],
  ])('names the bounds %j as %j', (schema, text) => {
    expect(boundsOf(schema)).toBe(text)
  })
})
