import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pathPattern, routePattern, splitRoutes } from '../../../src/engine/scenarios/path.ts'
import { operations } from '../../../src/ngrok/resources/index.ts'
import { ALL } from '../../support/long.ts'

const routes = [...new Set(operations.map(({ path }) => path))]
const id = fc.stringMatching(/^[a-z]{1,4}_[A-Za-z0-9_-]{1,8}$/)

const pathOf = fc
  .tuple(fc.constantFrom(...routes), fc.array(id, { minLength: 4, maxLength: 4 }))
  .map(([route, ids]) => ({ route, path: route.replace(/\{\w+\}/g, () => ids.shift()!) }))

/** The same path, with parts replaced by stars. */
const globOf = (path: string) =>
  fc
    .array(fc.tuple(fc.constantFrom('as it is', 'star', 'head', 'parameter', 'stars'), fc.nat(3)), {
      minLength: 9,
      maxLength: 9,
    })
    .map(choices =>
      path
        .split('/')
        .map((part, i) => {
          const [how, at] = choices[i]!
          if (part === '') return part
          return { 'as it is': part, star: '*', head: `${part.slice(0, at)}*`, parameter: '{any}', stars: '**' }[how]
        })
        .join('/'),
    )

it('Every spelling of a path matches the path and its route', () => {
  const cases = pathOf.chain(({ route, path }) => globOf(path).map(glob => ({ route, path, glob })))
  fc.assert(
    fc.property(cases, ({ route, path, glob }) => {
      expect(routePattern(glob)(splitRoutes([route])[0]!), `${glob} on ${route}`).toBe(true)
      expect(pathPattern(glob)(path), `${glob} on ${path}`).toBe(true)
    }),
    { numRuns: ALL ? 500 : 200 },
  )
})

it('No pattern that matches a path is rejected as matching no route', () => {
  const anything = fc.stringMatching(/^(\/[a-z_*{}.+?()[\]|^$\\-]{0,6}){0,4}$/)
  const ofAnother = pathOf.chain(({ path }) => globOf(path))
  let matched = 0
  fc.assert(
    fc.property(pathOf, fc.oneof(anything, ofAnother), ({ route, path }, written) => {
      if (!pathPattern(written)(path)) return
      matched++
      expect(routePattern(written)(splitRoutes([route])[0]!), `${written} on ${path}`).toBe(true)
    }),
    { numRuns: ALL ? 2000 : 600 },
  )
  expect(matched).toBeGreaterThan(0)
})

it('Characters of regular expressions have no special meaning in paths', () => {
  expect(pathPattern('/api.keys')('/api_keys')).toBe(false)
  expect(pathPattern('/api_keys/a+')('/api_keys/aa')).toBe(false)
  expect(pathPattern('/api_keys/(x|y)')('/api_keys/x')).toBe(false)
  expect(pathPattern('/api_keys/*')('/api_keys/a/b')).toBe(false)
})
