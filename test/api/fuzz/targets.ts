import fc from 'fast-check'
import { listed, oneOf } from './values.ts'
import { mark } from './world.ts'

const SEGMENTS = [
  ...listed(String.raw`%2e%2e  ..  .  %00  %c0%af  %ff  %  %zz  %2f  %252e  é  %F0%9D%92%B3  __proto__  constructor
    ak_ci  {id}  *  ;a=b  a b  A  %61  :id  (x)  \  |`),
  ...['', mark('deleted', 0), mark('deleted', 3), mark('api_keys', 0)],
  ...['x'.repeat(300), 'y'.repeat(9_000), 'z'.repeat(17_000)],
]
const EDITS: ((segments: string[], at: number, text: string) => unknown)[] = [
  (segments, at, text) => segments.splice(at, 1, text),
  (segments, at, text) => segments.splice(at, 0, text),
  (segments, at) => segments.splice(at, 1),
  (segments, at, text) => segments.splice(at, 1, segments[at] + text),
  (segments, at, text) =>
    segments.splice(
      at,
      1,
      segments[at]!.replace(/_|$/, each => each + text),
    ),
  (segments, at) => segments.splice(at, 0, '', ''),
  (segments, at) => segments.splice(at, 1, segments[at]!.toUpperCase()),
]
const WHOLE = oneOf(`*  /  /_sim  /_sim/  //  /?  /#x  ?x  api_keys  http://  /_SIM/state  /_sim/nowhere
  /_sim/sandboxes/default  /_sim/sandboxes/none/state  /_sim/sandboxes/default/sandboxes/default/state
  http://127.0.0.1/api_keys  HTTPS://localhost/_sim/state  http://evil.com/api_keys  /_sim/assets/../../package.json`)

type Spoil = (target: string) => string
/** Changes a target: a segment of its path, or all of it. */
export const oddTarget: fc.Arbitrary<Spoil> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(...EDITS), fc.nat(9), fc.constantFrom(...SEGMENTS)).map(
      ([change, at, text]): Spoil =>
        target => {
          const segments = target.split('/')
          if (segments.length < 2) return text
          change(segments, 1 + (at % (segments.length - 1)), text)
          return segments.join('/') || '/'
        },
    ),
  },
  {
    weight: 1,
    arbitrary: WHOLE.map(
      (target): Spoil =>
        () =>
          target,
    ),
  },
)
