import type { CST, Document, LineCounter } from 'yaml'
import { runYielding, type Steps } from '../basics/slices.ts'
import type { Place } from './file-error.ts'

export const MOST_KIB = 256
export const MOST_ALIASES = 100
export const MOST_NESTING = 100
/** Enough for a reader, and a bound for the parser. */
export const MOST_PROBLEMS = 20

class Enough extends Error {}

export interface ParsedYaml {
  value: unknown
  /** For positions. */
  tree: Document.Parsed
  lines: LineCounter
}

/**
 * What a YAML text says, or what is wrong with it. Core schema, few aliases, 256 KiB: YAML is for files people write.
 */
export async function parseYamlText(text: string): Promise<ParsedYaml | { problems: Place[] }> {
  const refuse = (message: string) => ({ problems: [{ line: 1, column: 1, message }] })
  if (Buffer.byteLength(text) > MOST_KIB * 1024) return refuse(`YAML is read up to ${MOST_KIB} KiB; use JSON for more`)
  if (nestsDeeply(text)) return refuse(`nested deeper than ${MOST_NESTING} levels`)
  const { Composer, Lexer, LineCounter, Parser, visit } = await import('yaml')
  const lines = new LineCounter()
  const problems: Place[] = []
  const note = (offset: number, message: string) => {
    if (problems.length >= MOST_PROBLEMS) throw new Enough()
    const { line, col } = lines.linePos(offset)
    problems.push({ line: line || 1, column: col || 1, message })
  }
  // Its own check for keys that are there twice compares each with each. It also goes on after any number of errors,
  // and has no public way to stop it: 200,000 commas would keep us busy for seconds.
  const composer = new Composer({ schema: 'core', uniqueKeys: false, stringKeys: true, logLevel: 'silent' })
  const parts = composer as unknown as {
    onError(at: ErrorPlace, code: string, message: string, warning?: boolean): void
  }
  parts.onError = (at, _code, message, warning) => {
    if (!warning) note(offsetOf(at), message)
  }
  /** Most of the work, token by token: the rest takes a fifth of the time. */
  function* tokensOf(): Steps<CST.Token[]> {
    const parser = new Parser(lines.addNewLine)
    lines.addNewLine(0)
    const tokens: CST.Token[] = []
    let [aliases, at] = [0, 0]
    for (const lexeme of new Lexer().lex(text)) {
      if (lexeme.startsWith('*') && ++aliases > MOST_ALIASES) {
        note(at, `more than ${MOST_ALIASES} aliases`)
        throw new Enough()
      }
      at += lexeme.length
      tokens.push(...parser.next(lexeme))
      yield
    }
    return [...tokens, ...parser.end()]
  }
  try {
    const trees = composer.compose(await runYielding(tokensOf()), true, text.length)
    const tree = trees.next().value as Document.Parsed
    const second = trees.next().value
    if (second) note(second.range[0], 'a second document begins here; one file holds one')
    if (problems.length > 0) return { problems }
    visit(tree, {
      Map(_key, { items }) {
        const seen = new Set<unknown>()
        for (const { key } of items as { key: { value: unknown; range: [number, number, number] } }[]) {
          if (seen.has(key.value)) note(key.range[0], `"${key.value}" is there twice`)
          seen.add(key.value)
        }
      },
    })
    if (problems.length === 0) return { value: tree.toJS({ maxAliasCount: MOST_ALIASES }), tree, lines }
  } catch (error) {
    if (!(error instanceof Enough)) return refuse((error as Error).message)
  }
  return { problems }
}

/** A value as YAML, the way people write it: what is nested more than two levels deep stands on one line. */
export async function toYamlText(value: object): Promise<string> {
  const { Document, visit, isCollection } = await import('yaml')
  const tree = new Document(value, { schema: 'core', aliasDuplicateObjects: false })
  visit(tree, {
    Collection(_key, node, ancestors) {
      if (ancestors.filter(isCollection).length > 2) node.flow = true
    },
  })
  return tree.toString({ lineWidth: 0 })
}

/** How the parser tells where it stumbled. */
type ErrorPlace = number | [number, number] | { offset: number }

const offsetOf = (at: ErrorPlace) => (typeof at === 'number' ? at : Array.isArray(at) ? at[0] : at.offset)

/** Checked before the parser recurses: by brackets, by `- - -`, and by indentation. */
function nestsDeeply(text: string): boolean {
  let brackets = 0
  const indents: number[] = []
  for (const line of text.split('\n')) {
    const [lead = ''] = /^[ \t]*([-?:][ \t]+)*/.exec(line)!
    if (lead.length < line.length) {
      while (indents.length > 0 && indents.at(-1)! >= lead.length) indents.pop()
      indents.push(lead.length)
    }
    if (indents.length > MOST_NESTING || (lead.match(/[-?:]/g)?.length ?? 0) > MOST_NESTING) return true
    for (const char of line) {
      if (char === '[' || char === '{') brackets++
      else if (char === ']' || char === '}') brackets--
      if (brackets > MOST_NESTING) return true
    }
  }
  return false
}
