import { createContext, Script } from 'node:vm'
import { type ASTNode, Environment, EvaluationError, ParseError, TypeError as WrongType } from '@marcbachmann/cel-js'
import { fail } from '../errors.ts'
import { nearest, withHint } from '../words/nearest.ts'

type Json = Record<string, unknown>

/** How long the filter of one request may take. Everybody else waits meanwhile. */
const MOST_MS = 500

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
 * docs/api.md 10.8: which of the objects an expression chooses. It is given up when it takes too long: a regular
 * expression alone can take for ever.
 */
export function compileFilter(text: string, known: string[]): (objects: Json[]) => boolean[] {
  const matches = attempt(text, () => environment.parse(text))
  checkNames(matches.ast, known)
  let left = MOST_MS
  return objects => {
    const began = performance.now()
    const chosen = attempt(text, () => inTime(left, () => objects.map(obj => isTrue(matches({ obj })))))
    left = Math.max(1, left - (performance.now() - began))
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
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return refuse(`it takes longer than ${MOST_MS} ms`)
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

/** Runs something that only computes, and stops it when the time is over. */
function inTime<T>(ms: number, work: () => T): T {
  room.work = work
  try {
    return script.runInContext(room, { timeout: Math.ceil(ms) })
  } finally {
    room.work = undefined
  }
}
