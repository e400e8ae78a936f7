import { describe, expect, it } from 'vitest'
import { initialValues, plainField } from '../../src/dashboard/parts/form-values.ts'
import type { Json, Kind, Row } from '../../src/dashboard/types.ts'
import {
  bodyOf,
  type Draft,
  formFields,
  numbered,
  parseObject,
  textOf,
  valuesFrom,
} from '../../src/dashboard/views/resources/record-body.ts'

const MODULE = plainField('headers', {
  schema: { type: 'object' },
  fields: [plainField('enabled', { schema: { type: 'boolean' }, default: true }), plainField('add')],
})
const KIND = {
  path: '/edges/{edge_id}/routes',
  prefix: 'rt',
  fields: [
    plainField('edge_id', { create_only: true }),
    plainField('match', { required: true }),
    plainField('description'),
    plainField('password', { write_only: true }),
    plainField('tags', { schema: { type: 'array' } }),
    plainField('backend_id', { refers_to: ['backends'] }),
    plainField('state', { asked: false }),
    MODULE,
  ],
} as Partial<Kind> as Kind

const STORED: Row = { id: 'rt_1', edge_id: 'edg_1', match: '/a', description: 'old', password_sha256: 'hash' }

function draft(typed: Json, { how = 'api', base }: Partial<Draft> = {}): Draft {
  return {
    how,
    base,
    count: 1,
    values: { ...initialValues(formFields(KIND, how, base !== undefined), base), ...typed },
  }
}

describe('Form fields', () => {
  const named = (how: Draft['how'], exists: boolean) => formFields(KIND, how, exists)

  it('require path parameters, and omit hidden fields', () => {
    const fields = named('api', false)
    expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(['edge_id', 'match'])
    expect(fields.map(({ name }) => name)).not.toContain('state')
  })

  it('in the state can all be changed, including the ID of a new record', () => {
    expect(named('state', true).filter(({ create_only }) => create_only)).toEqual([])
    expect(named('state', true)[0]!.name).toBe('edge_id')
    expect(named('state', false)[0]!.name).toBe('id')
  })
})

describe('A form sends', () => {
  const cases: [string, Draft, Json][] = [
    ['the input of a new record', draft({ edge_id: 'e', match: '/b' }), { edge_id: 'e', match: '/b' }],
    ['empty required fields', draft({}), { edge_id: undefined, match: undefined }],
    ['no unset module', draft({ match: '/', headers: undefined }), { edge_id: undefined, match: '/' }],
    ['only changes', draft({ description: 'new' }, { base: STORED }), { description: 'new' }],
    ['no cleared field', draft({ match: undefined }, { base: STORED }), {}],
    [
      'a changed module as a whole',
      draft({ headers: { enabled: false, add: 'x' } }, { base: { ...STORED, headers: { enabled: true, add: 'x' } } }),
      { headers: { enabled: false, add: 'x' } },
    ],
    ['a cleared text in the state', draft({ description: '' }, { how: 'state', base: STORED }), { description: '' }],
    [
      'null for a field removed in the state',
      draft({ match: undefined }, { how: 'state', base: STORED }),
      { match: null },
    ],
  ]
  it.each(cases)('%s', (_, filled, body) => {
    expect(bodyOf(KIND, filled)).toEqual(body)
  })
})

describe('A form as JSON', () => {
  it('offers a new record without values that would be rejected', () => {
    const offered = { id: 'rt_new', edge_id: '', match: '/b', description: '', tags: [] }
    expect(JSON.parse(textOf(KIND, draft({ match: '/b' }, { how: 'state' })))).toEqual(offered)
    const { id, ...body } = offered
    expect(JSON.parse(textOf(KIND, draft({ match: '/b' })))).toEqual(body)
  })

  it('is the body of an update, without create-only fields', () => {
    const text = textOf(KIND, draft({ match: '/b' }, { base: STORED }))
    expect(JSON.parse(text)).toEqual({ match: '/b', description: 'old' })
  })

  it('is the whole record in the state, with the hash of its secret', () => {
    const text = textOf(KIND, draft({ match: '/b' }, { how: 'state', base: STORED }))
    expect(JSON.parse(text)).toEqual({ ...STORED, match: '/b' })
  })

  const typed = (value: unknown): Draft => ({
    ...draft({}, { how: 'state', base: STORED }),
    text: JSON.stringify(value),
  })

  it('converts to form values, including a typed secret', () => {
    const values = valuesFrom(KIND, typed({ ...STORED, match: '/c', password: 'new' }))
    expect(values).toMatchObject({ edge_id: 'edg_1', match: '/c', description: 'old', password: 'new' })
  })

  it('does not convert while it has unknown fields', () => {
    expect(() => valuesFrom(KIND, typed({ ...STORED, odd: 1, more: 2 }))).toThrow(
      'The form has no field for odd, more. Remove it, or continue with JSON.',
    )
    expect(() => valuesFrom(KIND, typed({ ...STORED, password_sha256: 'other' }))).toThrow('password_sha256')
  })

  it.each([
    ['{ not yet', /^Invalid JSON: /],
    ['[1]', /^The record must be a JSON object/],
    ['null', /^The record must be a JSON object/],
  ])('is rejected as %s', (text, why) => {
    expect(() => parseObject(text)).toThrow(why)
  })
})

describe('Many records from one form', () => {
  it('have their number instead of {n} in every string', () => {
    const body = { name: 'v-{n}', tags: ['{n}{n}', 7], inner: { of: 'no {n}', on: true }, none: null }
    expect(numbered(body, 12)).toEqual({
      name: 'v-12',
      tags: ['1212', 7],
      inner: { of: 'no 12', on: true },
      none: null,
    })
  })
})
