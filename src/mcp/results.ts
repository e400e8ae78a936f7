import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isObject } from '../basics/json.ts'
import { listed, shorten } from '../basics/problem.ts'
import { counted } from '../basics/text.ts'
import { ControlError } from '../client/control-client.ts'
import { bounded } from './bounds.ts'
import type { AgentTool } from './tools.ts'

type Json = Record<string, unknown>

/** A short text first; then all of it as JSON, for clients that read texts only, and as data. */
export function resultOf({ says, brief = {} }: AgentTool, answer: unknown): CallToolResult {
  // A list has the shape that a page of it has.
  const whole: Json = Array.isArray(answer) ? { items: answer.length, data: answer } : ((answer ?? {}) as Json)
  return told(fill(says, whole), shortened(whole, brief))
}

/** What went wrong, in the words of whoever noticed it. */
export function failureOf(error: Error): CallToolResult {
  // The message is the text, and details has nothing for errors of the control plane.
  const { msg: _text, details: _none, ...body } = error instanceof ControlError ? error.body : {}
  return { ...told(error.message, body), isError: true }
}

const LONGEST_TEXT = 2000

function told(sentence: string, data: Json): CallToolResult {
  const { value, leftOut } = bounded(data)
  const text = shorten(sentence, LONGEST_TEXT)
  const left = leftOut.length > 0 ? { left_out: listed(leftOut, each => each) } : undefined
  const content: CallToolResult['content'] = [
    { type: 'text', text: left ? `${text} Left out: ${left.left_out}.` : text },
  ]
  if (Object.keys(data).length === 0) return { content }
  const structured = { ...(value as Json), ...left }
  content.push({ type: 'text', text: JSON.stringify(structured) })
  return { content, structuredContent: structured }
}

/** Puts the members of an answer into a sentence. */
const fill = (says: string, answer: Json) =>
  says.replace(/\{([\w.]+)(?: (\w+))?\}/g, (_, path: string, noun: string | undefined) => {
    const value = path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), answer)
    const shown = Array.isArray(value) ? value.length : value
    return noun === undefined ? String(shown ?? 'none') : counted(Number(shown), noun)
  })

/** Of the items of these lists, only some members. */
function shortened(answer: Json, brief: Record<string, string[]>): Json {
  const lists = Object.entries(brief).map(([name, members]) => {
    const items = (answer[name] ?? []) as Json[]
    return [name, items.map(item => Object.fromEntries(members.map(member => [member, item[member]])))]
  })
  return { ...answer, ...Object.fromEntries(lists) }
}
