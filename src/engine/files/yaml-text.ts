import type { CST, Document, LineCounter } from 'yaml'
import { FileError, fileError, type TextProblem } from './file-error.ts'

export const MAX_YAML_KIB = 256
/** For request and response bodies of `/_sim`: the tree is built and serialized in one piece. */
export const MAX_YAML_BODY_KIB = 40
/** For request bodies. Building the tree takes time per token. */
export const MAX_YAML_BODY_TOKENS = 20_000
export const MAX_YAML_ALIASES = 100
export const MAX_YAML_NESTING = 100
/** Limits the problems reported per file, which also bounds the parser's work. */
export const MAX_REPORTED = 20

const TAB = 'tabs are not allowed as indentation. Use spaces'

interface ParsedYaml {
  value: unknown
  /** To find positions. */
  tree: Document.Parsed
  lines: LineCounter
}

/** Parses YAML, or throws its problems. Core schema, with limits for hand-written files. */
export async function parseYamlText(text: string, file: string, isBody = false): Promise<ParsedYaml> {
  const most = isBody ? MAX_YAML_BODY_KIB : MAX_YAML_KIB
  const tooLong = `YAML is limited to ${most} KiB${isBody ? ' in a body' : ''}. Use JSON instead`
  if (Buffer.byteLength(text) > most * 1024) throw fileError(file, tooLong)
  const { Composer, Lexer, LineCounter, Parser, visit } = await import('yaml')
  const lines = new LineCounter()
  const problems: TextProblem[] = []
  const note = (offset: number, message: string) => {
    if (problems.length >= MAX_REPORTED) failIfNoted()
    const { line, col } = lines.linePos(offset)
    problems.push({ line: line || 1, column: col || 1, message })
  }
  const failIfNoted = () => {
    // A tab also causes errors in the lines after it.
    const tabs = problems.filter(({ message }) => message === TAB)
    if (problems.length > 0) throw new FileError(file, tabs.length > 0 ? tabs : problems)
  }
  // The composer's check for duplicate keys takes quadratic time, so it is off. The composer also continues after any
  // number of errors, and only a private method can stop it: 200,000 commas would take seconds.
  const composer = new Composer({ schema: 'core', uniqueKeys: false, stringKeys: true, logLevel: 'silent' })
  const internals = composer as unknown as {
    onError(at: ErrorPlace, code: string, message: string, warning?: boolean): void
  }
  internals.onError = (at, code, message, warning) => {
    if (!warning) note(offsetOf(at), code === 'TAB_AS_INDENT' ? TAB : message)
  }
  function parse(): ParsedYaml {
    const parser = new Parser(lines.addNewLine)
    lines.addNewLine(0)
    const tokens: CST.Token[] = []
    let [aliases, at, tokenCount] = [0, 0, 0]
    for (const lexeme of new Lexer().lex(text)) {
      if (isBody && ++tokenCount > MAX_YAML_BODY_TOKENS)
        note(at, 'too many tokens for YAML in a body. Use JSON instead')
      if (lexeme.startsWith('*') && ++aliases > MAX_YAML_ALIASES) note(at, `more than ${MAX_YAML_ALIASES} aliases`)
      tokens.push(...parser.next(lexeme))
      // The parser has its own stack, but the composer recurses.
      if (parser.stack.length > MAX_YAML_NESTING) note(at, `nested deeper than ${MAX_YAML_NESTING} levels`)
      failIfNoted()
      at += lexeme.length
    }
    const trees = composer.compose([...tokens, ...parser.end()], true, text.length)
    const tree = trees.next().value as Document.Parsed
    const second = trees.next().value
    if (second) note(second.range[0], 'a second document begins here. Use one document per file')
    failIfNoted()
    visit(tree, {
      Map(_key, { items }) {
        const seen = new Set<unknown>()
        for (const { key } of items as { key: { value: unknown; range: [number, number, number] } }[]) {
          if (seen.has(key.value)) note(key.range[0], `duplicate field "${key.value}"`)
          seen.add(key.value)
        }
      },
    })
    failIfNoted()
    return { value: tree.toJS({ maxAliasCount: MAX_YAML_ALIASES }), tree, lines }
  }
  try {
    return parse()
  } catch (error) {
    throw error instanceof FileError ? error : fileError(file, (error as Error).message)
  }
}

/** Serializes a value as YAML. Values nested more than two levels deep are on one line. */
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

/** The parser's forms of an error position. */
type ErrorPlace = number | [number, number] | { offset: number }

const offsetOf = (at: ErrorPlace) => (typeof at === 'number' ? at : Array.isArray(at) ? at[0] : at.offset)
