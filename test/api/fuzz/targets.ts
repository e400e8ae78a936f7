import fc from 'fast-check'
import { mark } from './world.ts'

const SEGMENTS = [
  '%2e%2e',
  '..',
  '.',
  '%00',
  '%c0%af',
  '%ff',
  '%',
  '%zz',
  '%2f',
  '%252e',
  '',
  'é',
  '%F0%9D%92%B3',
  '__proto__',
  'constructor',
  'ak_ci',
  mark('deleted', 0),
  mark('deleted', 3),
  mark('api_keys', 0),
  'x'.repeat(300),
  'y'.repeat(9_000),
  'z'.repeat(17_000),
  '{id}',
  '*',
  ';a=b',
  'a b',
  'A',
  '%61',
  ':id',
  '(x)',
  '\\',
  '|',
]
const segment = fc.constantFrom(...SEGMENTS)

/** What is done to the segments of a path. */
const edits = fc.tuple(
  fc.nat(9),
  segment,
  fc.constantFrom('replace', 'insert', 'remove', 'glue', 'inside', 'double', 'case'),
)

type Spoil = (target: string) => string
const spoiltPath: fc.Arbitrary<Spoil> = edits.map(([at, text, how]) => target => {
  const segments = target.split('/')
  const i = 1 + (at % Math.max(1, segments.length - 1))
  if (how === 'insert') segments.splice(i, 0, text)
  else if (how === 'remove') segments.splice(i, 1)
  else if (how === 'glue') segments[i] += text
  else if (how === 'inside') segments[i] = segments[i]?.replace(/_|$/, each => each + text) ?? ''
  else if (how === 'double') segments.splice(i, 0, '', '')
  else if (how === 'case') segments[i] = segments[i]?.toUpperCase() ?? ''
  else segments[i] = text
  return segments.join('/') || '/'
})
const WHOLE = [
  '*',
  '/',
  '/_sim',
  '/_sim/',
  '//',
  '/?',
  '/#x',
  '/_sim/nowhere',
  '/_sim/sandboxes/default',
  'http://127.0.0.1/api_keys',
  'HTTPS://localhost/_sim/state',
  'http://evil.com/api_keys',
  'http://',
  'api_keys',
  '?x',
  '/_sim/assets/../../package.json',
  '/_sim/sandboxes/none/state',
  '/_SIM/state',
  '/_sim/sandboxes/default/sandboxes/default/state',
]

export const oddTarget: fc.Arbitrary<Spoil> = fc.oneof(
  { weight: 3, arbitrary: spoiltPath },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...WHOLE).map(
      (target): Spoil =>
        () =>
          target,
    ),
  },
)
