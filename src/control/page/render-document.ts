import { posix } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { Marked, type Tokens } from 'marked'
import { escapeMarkup } from '../../basics/text.ts'

interface Surroundings {
  /** The files of the package that can be linked to. */
  served: ReadonlySet<string>
  /** File names of the dashboard. Undefined if it is not built. */
  style?: string
  icon?: string
}

/** The anchor that GitHub gives a heading. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** An additional anchor for a section number, such as `section-4.2`. */
function sectionAnchor(heading: string): string {
  const number = /^\d+(\.\d+)*(?=\.? )/.exec(heading)
  return number ? `<a id="section-${number[0]}"></a>` : ''
}

/** Renders a document as HTML. Its markup is trusted, because the documents are part of edgesim. */
export async function renderDocument(path: string, markdown: string, around: Surroundings): Promise<string> {
  const met = new Map<string, number>()
  const contents: string[] = []
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }) {
        const plain = anchorOf(text)
        const times = met.get(plain) ?? 0
        met.set(plain, times + 1)
        const id = times === 0 ? plain : `${plain}-${times}`
        const html = this.parser.parseInline(tokens)
        if (depth === 2) contents.push(`<li><a href="#${id}">${html}</a></li>`)
        return `<h${depth} id="${id}">${sectionAnchor(text)}<a class="anchor" href="#${id}">${html}</a></h${depth}>\n`
      },
      // Links to files that are not served, such as ../README.md, become plain text.
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens)
        const target = href.split('#')[0]!
        const linked =
          /^https?:/.test(href) || target === '' || around.served.has(posix.join(posix.dirname(path), target))
        return linked ? `<a href="${escapeMarkup(href)}">${html}</a>` : html
      },
      // What is wider than the window scrolls by itself, also by keyboard.
      table(token) {
        // Screen readers would announce an empty header cell as a header.
        const cellOf = (cell: Tokens.TableCell) => (cell.text === '' ? '<td></td>' : this.tablecell(cell))
        const rowOf = (cells: Tokens.TableCell[]) => `<tr>${cells.map(cellOf).join('')}</tr>`
        const [header, ...body] = [token.header, ...token.rows].map(rowOf)
        const head = token.header.some(({ text }) => text !== '') ? `<thead>${header}</thead>` : ''
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body.join('')}</tbody></table></div>\n`
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeMarkup(text)}</code></pre>\n`,
    },
  })
  let body = ''
  // Section by section, so that other requests are served in between.
  for (const section of markdown.split(/^(?=## )/m)) {
    body += marked.parse(section, { async: false })
    await pause()
  }
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? path
  return pageOf({ path, title, body, contents, around })
}

interface Page {
  path: string
  title: string
  body: string
  /** Links to its sections, as items of a list. */
  contents: string[]
  around: Surroundings
}

/** Links are relative: a proxy may have put the simulator under its own path. */
function pageOf({ path, title, body, contents, around: { style, icon } }: Page): string {
  const up = '../'.repeat(path.split('/').length - 1)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)} · edgesim</title>
${icon ? `<link rel="icon" type="image/svg+xml" href="${up}assets/${icon}">` : ''}
${style ? `<link rel="stylesheet" href="${up}assets/${style}">` : ''}
</head>
<body>
<header><a href="${up}">edgesim</a> <a href="${up}docs/">Documents</a></header>
<div class="document">
<main>
${body}</main>
${contents.length > 1 ? `<nav aria-label="On this page"><p>On this page</p><ul>${contents.join('')}</ul></nav>` : ''}
</div>
</body>
</html>
`
}
