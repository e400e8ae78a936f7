import { expect } from 'vitest'
import type { SimulatorOptions } from '../../src/options/options.ts'
import type { Hooks } from '../../src/simulator/hooks.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import type { Parts } from '../../src/simulator/types.ts'
import { afterwards } from './afterwards.ts'
import { type Answer, callsOf } from './call.ts'
import { checkAnswer } from './openapi.ts'

export type { Answer, CallOptions } from './call.ts'

/** A running simulator on a port of its own, closed after the test. */
export async function simulate(options: SimulatorOptions = {}, hooks: Hooks = {}, parts: Parts = {}) {
  const simulator = await runSimulator({ port: 0, ...options }, hooks, parts)
  afterwards(() => simulator.close())
  return { ...simulator, ...callsOf({ ...simulator, vendor: options.vendor }, checkAnswer) }
}

export type Simulated = Awaited<ReturnType<typeof simulate>>

/** The answer is an error with that number and status; the message says something. */
export function expectError(answer: Answer, status: number, code: number) {
  expect({ status: answer.status, code: answer.body?.error_code }).toEqual({ status, code: `ERR_SERVICE_${code}` })
  expect(answer.body.status_code).toBe(status)
  expect(answer.body.msg.length).toBeGreaterThan(20)
  return answer.body
}
