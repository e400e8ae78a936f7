/// <reference types="vite/client" />
import * as complete from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { jsonLanguage } from '@codemirror/lang-json'
import { yamlLanguage } from '@codemirror/lang-yaml'
import { indentOnInput, indentService, syntaxHighlighting } from '@codemirror/language'
import { diagnosticCount, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Annotation, type Text } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import css from '../../styles/code-mirror.css?inline'
import type { Json, Problem } from '../../types.ts'
import { completionsAt, type Language } from './completion.ts'

/** Loaded when it is needed. */
const scenarioSchema = async () => (await import('../../../../scenarios/scenario.schema.json')).default as Json

export interface Editing {
  label: string
  /** Must not change. */
  language: Language
  text: string
  onText(text: string): void
  problems?: readonly Problem[]
  /** A JSON Schema, or the name of one that is loaded when needed. */
  schema?: 'scenario' | Json
  invalid?: boolean
  /** ID of an element with a description. */
  describedBy?: string
  /** A new object moves the cursor there, and the focus to the editor. */
  focusAt?: { line: number; column: number }
}

/** Marks the rest of the line. */
const errorAt = (doc: Text, from: number, message: string) =>
  ({ from, to: doc.lineAt(from).to, severity: 'error', message }) as const

function offsetOf(doc: Text, { line, column }: { line: number; column: number }): number {
  const { from, to } = doc.line(Math.min(line, doc.lines))
  return Math.min(from + column - 1, to)
}

/** The first syntax error of JSON. */
function syntaxErrors(doc: Text) {
  const text = doc.toString()
  try {
    if (text.trim()) JSON.parse(text)
    return []
  } catch (error) {
    let at = text.trimEnd().length
    jsonLanguage.parser.parse(text).iterate({
      enter: ({ type, from }) => {
        if (type.isError) at = Math.min(at, from)
      },
    })
    return [errorAt(doc, at, (error as Error).message)]
  }
}

/** Indents the line below `key:`. */
const indentBelowKey = indentService.of((context, at) => {
  const { text } = context.lineAt(at, -1)
  return /:\s*$/.test(text) ? /^[\s-]*/.exec(text)![0].length + 2 : undefined
})

/** Without Ctrl+Enter, which belongs to the page. Tab leaves the editor. */
const keys = keymap.of([
  { key: 'Tab', run: complete.acceptCompletion },
  ...complete.closeBracketsKeymap,
  ...historyKeymap,
  ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
])

const fromCaller = Annotation.define<boolean>()

/** Opens an editor in a shadow root, because the Content-Security-Policy allows styles of packages only there. */
export function openEditor(host: HTMLElement, initial: Editing) {
  let given: Editing = { ...initial, problems: undefined, focusAt: undefined }
  /** The text that the caller has. */
  let known = given.text
  const isJson = given.language === 'json'
  const { parser } = isJson ? jsonLanguage : yamlLanguage

  async function completions({ state, pos, explicit }: complete.CompletionContext) {
    const { schema: asked, language } = given
    const schema = asked === 'scenario' ? await scenarioSchema() : asked
    const found = schema && completionsAt(state.doc.toString(), pos, language, parser, schema)
    const isStart = /[-:,[{] $/.test(state.sliceDoc(pos - 2, pos))
    if (!found || !(explicit || isStart || pos > found.from)) return null
    const options = found.options.map(({ apply, ...option }, i) => ({
      ...option,
      sortText: String(i).padStart(4, '0'),
      apply: (view: EditorView, _: unknown, from: number, to: number) => {
        view.dispatch(complete.insertCompletionText(view.state, apply, from, to + found.to - pos))
        if (option.type === 'property') complete.startCompletion(view)
      },
    }))
    return { from: found.from, options, validFor: /^["']?[\w$./-]*$/ }
  }

  const root = host.attachShadow({ mode: 'open', delegatesFocus: true })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
  const view = new EditorView({
    doc: given.text,
    parent: root,
    root,
    extensions: [
      isJson ? [jsonLanguage, EditorView.lineWrapping] : [yamlLanguage, indentBelowKey],
      [lintGutter(), lineNumbers(), highlightActiveLine(), highlightActiveLineGutter()],
      [history(), complete.closeBrackets(), indentOnInput(), keys, syntaxHighlighting(classHighlighter)],
      complete.autocompletion({ override: [completions], icons: false }),
      EditorView.contentAttributes.of(({ state }) => ({
        'aria-label': given.label,
        tabindex: '0',
        'aria-invalid': String(given.invalid || diagnosticCount(state) > 0),
      })),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (!docChanged) return
        if (!transactions.some(each => each.annotation(fromCaller))) {
          known = state.doc.toString()
          given.onText(known)
        }
        if (isJson) mark()
      }),
    ],
  })

  function mark() {
    const { doc } = view.state
    const problems = given.problems?.map(each => errorAt(doc, offsetOf(doc, each), each.message)) ?? []
    view.dispatch(setDiagnostics(view.state, isJson ? [...problems, ...syntaxErrors(doc)] : problems))
  }

  function update(next: Editing) {
    const last = given
    given = next
    const changes = next.text === known ? undefined : { from: 0, to: view.state.doc.length, insert: next.text }
    known = next.text
    // Also without changes, to update the attributes.
    view.dispatch({ changes, annotations: fromCaller.of(true) })
    const description = next.describedBy && document.getElementById(next.describedBy)
    view.contentDOM.ariaDescribedByElements = description ? [description] : null
    if (next.problems !== last.problems) mark()
    if (!next.focusAt || next.focusAt === last.focusAt) return
    view.dispatch({ selection: { anchor: offsetOf(view.state.doc, next.focusAt) }, scrollIntoView: true })
    view.focus()
  }

  if (isJson) mark()
  update(initial)
  return { update, close: () => view.destroy() }
}
