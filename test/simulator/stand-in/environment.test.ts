import { describe, expect, it } from 'vitest'
import { overlay } from '../../../src/simulator/stand-in/environment.ts'

const VARIABLES = {
  NO_PROXY: 'localhost,127.0.0.1',
  no_proxy: 'localhost,127.0.0.1',
  NODE_OPTIONS: '--require="/a b/stand-in.cjs"',
  EDGESIM_STAND_IN: '{"api.example.com":{"443":1}}',
}

describe('The variables of a process', () => {
  it('are added once to its Node options', () => {
    const first = overlay(VARIABLES, { NODE_OPTIONS: '--max-old-space-size=99 ' })
    expect(first.NODE_OPTIONS).toBe('--max-old-space-size=99 --require="/a b/stand-in.cjs"')
    expect(overlay(VARIABLES, first).NODE_OPTIONS).toBe(first.NODE_OPTIONS)
    expect(overlay(VARIABLES, {}).NODE_OPTIONS).toBe(VARIABLES.NODE_OPTIONS)
  })

  it.each([
    ['internal.test,10.0.0.0/8', 'localhost,127.0.0.1,internal.test,10.0.0.0/8'],
    ['localhost, internal.test', 'localhost,127.0.0.1,internal.test'],
    ['*', 'localhost,127.0.0.1'],
    ['api.example.com,.example.com,*.example.com,com,API.example.com:443,', 'localhost,127.0.0.1'],
    [
      'xapi.example.com,pi.example.com,www.example.com',
      'localhost,127.0.0.1,xapi.example.com,pi.example.com,www.example.com',
    ],
  ])('preserve hosts without a proxy, except for the redirected host: %s', (before, after) => {
    for (const spelling of ['NO_PROXY', 'no_proxy'])
      expect(overlay(VARIABLES, { [spelling]: before })).toMatchObject({ NO_PROXY: after, no_proxy: after })
  })

  it('have no proxy settings without a redirected host', () => {
    expect(overlay({ EDGESIM_URL: 'x' }, { NO_PROXY: '*', NODE_OPTIONS: '--x' })).toEqual({ EDGESIM_URL: 'x' })
  })
})
