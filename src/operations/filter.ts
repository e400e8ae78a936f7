import { createContext, Script } from 'node:vm'
import { type ASTNode, Environment, EvaluationError, ParseError, TypeError as WrongType } from '@marcbachmann/cel-js'
import { fail } from '../errors.ts'
import type { Steps } from '../slices.ts'
import { nearest, withHint } from '../words/nearest.ts'

type Json = Record<string, unknown>

/** How long the filter of one request may take, and how long others may have to wait for it. */
const MOST_MS = 2_000
const TURN_MS = 20
/** A turn that was too long is tried again: it may have been the machine that stood still. */
const TRIES = 3

const environment = new Environment({
  limits: { maxAstNodes: 500, maxDepth: 40, maxListElements: 100, maxMapEntries: 100, maxCallArguments: 16 },
}).registerVariable('obj', 'map<string, dyn>')

/** Times are texts in answers; they can be compared with both. */
const comparisons = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
}
for (const [operator, holds] of Object.entries(comparisons))
  environment.registerOperator(`string ${operator} google.protobuf.Timestamp`, (text: string, time: Date) =>
    holds(Date.parse(text), time.getTime()),
  )

/**
 * docs/api.md 10.8: the objects that an expression chooses. It is given up when it takes too long: a regular expression
 * alone can take for ever.
 */
export function compileFilter(text: string, known: string[]): (objects: Json[]) => Steps<boolean[]> {
  const matches = attempt(text, () => environment.parse(text))
  checkNames(matches.ast, known)
  let left = MOST_MS
  /** Undefined when it took too long for a turn. */
  const inTurn = (objects: Json[]): boolean[] | undefined => {
    const began = performance.now()
    const chosen = attempt(text, () => inTime(TURN_MS, () => objects.map(obj => isTrue(matches({ obj })))))
    left -= performance.now() - began
    if (left <= 0) refuse(`it takes longer than ${MOST_MS} ms`)
    return chosen
  }
  return function* (objects) {
    const together = inTurn(objects)
    if (together) return together
    const chosen: boolean[] = []
    for (const object of objects) {
      let one: boolean[] | undefined
      for (let tries = 0; tries < TRIES && !one; tries++) {
        yield
        one = inTurn([object])
      }
      chosen.push(...(one ?? refuse(`it takes longer than ${TURN_MS} ms for one object`)))
    }
    return chosen
  }
}

function isTrue(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  return refuse(`it gives ${value === null ? 'null' : `a ${typeof value === 'bigint' ? 'number' : typeof value}`}`)
}

const refuse = (why: string): never => fail('bad_filter', { field: 'filter', why })

function attempt<T>(text: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof ParseError || error instanceof EvaluationError || error instanceof WrongType)
      return refuse(`at character ${error.range ? error.range.start + 1 : 1} of ${text.length}: ${error.summary}`)
    throw error
  }
}

/** A misspelt field is refused also when there is nothing to filter. */
function checkNames(node: ASTNode, known: string[]) {
  if (node.op === '.' && node.args[0].op === 'id' && node.args[0].args === 'obj' && !known.includes(node.args[1]))
    refuse(
      `at character ${node.args[0].range.end + 2}: ${withHint(`there is no obj.${node.args[1]}`, nearest(node.args[1], known))}. Known: ${known.join(', ')}`,
    )
  for (const inner of [node.args].flat(2)) if (isNode(inner)) checkNames(inner, known)
}

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value

const room = createContext({ work: undefined as unknown })
const script = new Script('work()')

/** Runs something that only computes; undefined when it had to be stopped, because the time was over. */
function inTime<T>(ms: number, work: () => T): T | undefined {
  room.work = work
  try {
    return script.runInContext(room, { timeout: ms })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    room.work = undefined
  }
}
