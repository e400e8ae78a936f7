import { didYouMean, nearest } from '../../basics/nearest.ts'
import { shorten } from '../../basics/problem.ts'
import { counted } from '../../basics/text.ts'
import type { FieldTypes, Kind } from './members.ts'
import { FilterMistake, failAt, type Token, Tokens } from './syntax.ts'
import {
  checkItems,
  compare,
  constantOf,
  FUNCTIONS,
  isOperator,
  memberOf,
  type Part,
  type Test,
  testOf,
} from './values.ts'

const LITERALS = new Map<string, [Kind, unknown]>([
  ['true', ['boolean', true]],
  ['false', ['boolean', false]],
  ['null', ['null', undefined]],
])

/** Functions and methods, with the number of arguments in parentheses. */
const CALLED = { size: 1, timestamp: 1 }
const CALLED_ON = { size: 0, startsWith: 1, endsWith: 1, contains: 1, add: 1, subtract: 1 }
const ALLOWED = [
  ...Object.keys(CALLED).map(name => `${name}(x)`),
  ...Object.entries(CALLED_ON).map(([name, count]) => `x.${name}(${count === 0 ? '' : 'y'})`),
].join(', ')

/**
 * Compiles a filter to a test of an item of a response. Calls `reject` with the first mistake in a filter. `item` is its
 * name in the filter. Compiling, and testing an item, takes time linear in the length of the filter.
 */
export function compileFilter(
  filter: string,
  members: FieldTypes,
  now: () => string,
  reject: (why: string) => never,
  item = 'obj',
): Test {
  try {
    return compile(filter, members, now, item)
  } catch (error) {
    if (error instanceof FilterMistake) return reject(error.message)
    throw error
  }
}

function compile(filter: string, members: FieldTypes, now: () => string, item: string): Test {
  const tokens = new Tokens(filter)
  /** From there to the end of the last token. */
  const from = (at: number) => ({ at, source: filter.slice(at, tokens.end) })

  const readOr = () => readChain('||', 'some', readAnd)
  const readAnd = () => readChain('&&', 'every', readComparison)

  function readChain(sign: string, content: 'some' | 'every', readPart: () => Part): Part {
    const first = readPart()
    if (tokens.next.text !== sign) return first
    const tests = [testOf(first)]
    while (tokens.take(sign)) tests.push(testOf(readPart()))
    return { ...from(first.at), kind: 'boolean', read: item => tests[content](test => test(item)) }
  }

  function readComparison(): Part {
    const left = readUnary()
    if (!isOperator(tokens.next.text)) return left
    const operator = tokens.read()
    const right = readUnary()
    if (isOperator(tokens.next.text))
      failAt(tokens.next.at, 'filters do not support chained comparisons. Join two with && or ||')
    return { ...from(left.at), kind: 'boolean', read: compare(left, operator, right) }
  }

  function readUnary(): Part {
    const not = tokens.take('!')
    if (not) {
      const test = testOf(tokens.nested(readUnary))
      return { ...from(not.at), kind: 'boolean', read: item => !test(item) }
    }
    let part = readPrimary()
    for (let depth = tokens.depth; tokens.take('.'); ) {
      tokens.checkDepth(++depth)
      const name = tokens.readName()
      part = tokens.take('(') ? readCall(name, CALLED_ON, part) : memberOf(part, name, from(part.at))
    }
    return part
  }

  function readPrimary(): Part {
    const token = tokens.read()
    const { type, text, at, value } = token
    if (value !== undefined) return constantOf(from(at), typeof value === 'string' ? 'text' : 'number', value)
    if (text === '-' && typeof tokens.next.value === 'number') {
      const digits = tokens.read().value as number
      return constantOf(from(at), 'number', -digits)
    }
    if (text === '[') {
      const items = checkItems(tokens.nested(() => readItems(']')))
      return constantOf(from(at), 'list', items)
    }
    if (text === '(') {
      const inner = tokens.nested(readOr)
      tokens.expect(')')
      return { ...inner, ...from(at) }
    }
    return type === 'name' && text !== 'in' ? readName(token) : tokens.failUnexpected(token)
  }

  function readName(token: Token): Part {
    const { text, at } = token
    const literal = LITERALS.get(text)
    if (literal) return constantOf(from(at), ...literal)
    if (tokens.take('(')) return readCall(token, CALLED)
    if (text === item) return { ...from(at), kind: members, read: each => each }
    const member = tokens.take('.') && tokens.readName()
    if (member && tokens.next.text === '(') checkFunction(member, CALLED_ON, `${text}.${member.text}`)
    if (text === 'time' && member?.text === 'now') return constantOf(from(at), 'text', now())
    const unknown = text === 'time' && member ? `${text}.${member.text}` : text
    return failAt(at, `unknown name ${shorten(unknown, 60)}. Known: ${item}, and time.now as in timestamp(time.now)`)
  }

  function readCall(name: Token, known: Record<string, number>, of?: Part): Part {
    checkFunction(name, known)
    const given = tokens.nested(() => readItems(')'))
    const count = known[name.text]!
    if (given.length !== count) failAt(name.at, `${name.text} takes ${counted(count, 'argument')}, got ${given.length}`)
    const [first, second] = of ? [of, ...given] : given
    return FUNCTIONS[name.text]!(from(of?.at ?? name.at), first!, second!)
  }

  function readItems(close: string): Part[] {
    const items: Part[] = []
    if (tokens.take(close)) return items
    do items.push(readOr())
    while (tokens.take(','))
    tokens.expect(close)
    return items
  }

  const whole = readOr()
  if (tokens.next.type !== 'end') tokens.failUnexpected(tokens.next)
  return testOf(whole)
}

function checkFunction({ text: name, at }: Token, known: Record<string, number>, called = name) {
  if (Object.hasOwn(known, name)) return
  const hint = didYouMean(nearest(name, Object.keys(known)))
  failAt(at, `unknown function ${shorten(called, 60)}.${hint} Allowed: ${ALLOWED}`)
}
