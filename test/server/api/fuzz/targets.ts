import fc from 'fast-check'
import { listed, mix, oneOf } from './values.ts'
import { mark } from './world.ts'

const SEGMENTS = [
  ...listed(String.raw`%2e%2e  ..  .  %00  %c0%af  %ff  %  %zz  %2f  %252e  é  %F0%9D%92%B3  __proto__  constructor
    ak_ci  {id}  *  ;a=b  a b  A  %61  :id  (x)  \  |`),
  ...['', mark('deleted', 0), mark('deleted', 3), mark('api_keys', 0)],
  ...['x'.repeat(300), 'y'.repeat(9_000), 'z'.repeat(17_000)],
]
const EDITS: ((segment: string, text: string) => string[])[] = [
  (_, text) => [text],
  (segment, text) => [text, segment],
  () => [],
  (segment, text) => [segment + text],
  (segment, text) => [segment.replace(/_|$/, each => each + text)],
  segment => ['', '', segment],
  segment => [segment.toUpperCase()],
]
const WHOLE = oneOf(`*  /  /_sim  /_sim/  //  /?  /#x  ?x  api_keys  http://  /_SIM/state  /_sim/nowhere
  /_sim/sandboxes/default  /_sim/sandboxes/none/state  /_sim/sandboxes/default/sandboxes/default/state
  http://127.0.0.1/api_keys  HTTPS://localhost/_sim/state  http://evil.com/api_keys  /_sim/assets/../../package.json`)

export type Spoil = (text: string) => string
const spoilt = fc.tuple(fc.constantFrom(...EDITS), fc.nat(9), fc.constantFrom(...SEGMENTS))
export const oddTarget = mix<Spoil>(
  [
    3,
    spoilt.map(([change, place, text]) => target => {
      const [root, ...segments] = target.split('/')
      const at = place % Math.max(1, segments.length)
      return [root, ...segments.flatMap((each, i) => (i === at ? change(each, text) : each))].join('/') || '/'
    }),
  ],
  [1, WHOLE.map(target => () => target)],
)
