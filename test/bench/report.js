/** Renders the figures as a table and a chart, and writes them to docs/contributing/performance.md. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const shown = (value, unit) => `${unit === ' MB' ? Math.round(value) : value.toFixed(2)}${unit}`

export function renderTable({ results }) {
  const rows = Object.values(results).flatMap(({ rows }) => rows)
  const lines = rows.map(({ what, value, unit, wanted, reached }) => {
    const mark = wanted ? (reached ? wanted : `${wanted}, missed`) : '–'
    return `| ${what} | ${shown(value, unit)} | ${mark} |`
  })
  return ['| Measurement | Result | Target |', '|---|---|---|', ...lines].join('\n')
}

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Two bar charts, readable on light and dark backgrounds. */
function renderChart({ results, ...origin }) {
  const panels = [
    { title: 'GET a key: requests per second (higher is better)', seen: results.get.seen },
    { title: 'Start to first response: milliseconds (lower is better)', seen: results.start.seen },
  ]
  const [width, label, bar, gap, head] = [820, 170, 18, 8, 34]
  const heightOf = seen => head + Object.keys(seen).length * (bar + gap) + 14
  const height = panels.reduce((sum, { seen }) => sum + heightOf(seen), 30)
  let y = 8
  const parts = panels.map(({ title, seen }) => {
    const most = Math.max(...Object.values(seen).map(({ median }) => median))
    const top = y
    const bars = Object.entries(seen).map(([name, { median }], i) => {
      const at = top + head + i * (bar + gap)
      const length = Math.max(2, ((width - label - 90) * median) / most)
      const own = name === 'edgesim'
      return `<text x="${label - 10}" y="${at + 14}" text-anchor="end"${own ? ' font-weight="700"' : ''}>${escaped(name)}</text>
  <rect x="${label}" y="${at}" width="${length.toFixed(1)}" height="${bar}" rx="3" fill="${own ? '#2f9e6e' : '#8a94a6'}"/>
  <text x="${(label + length + 8).toFixed(1)}" y="${at + 14}">${Math.round(median)}</text>`
    })
    y += heightOf(seen)
    return `  <text x="8" y="${top + 18}" font-weight="700" font-size="14">${escaped(title)}</text>\n  ${bars.join('\n  ')}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-size="13" aria-label="edgesim compared with similar servers">
  <style>text { font-family: system-ui, sans-serif; fill: #1d2530 } @media (prefers-color-scheme: dark) { text { fill: #dfe5ee } }</style>
${parts.join('\n')}
  <text x="8" y="${height - 8}" font-size="11" opacity="0.7">${originOf(origin)}</text>
</svg>
`
}

/** When and where the figures were measured. */
const originOf = ({ at, commit, node, machine }) =>
  [`Measured on ${at}`, ...(commit ? [`commit ${commit}`] : []), `Node ${node.slice(1)}`, machine].join(', ')

/** The commit that is checked out, with `-dirty` after it if files have changed. */
function currentCommit() {
  try {
    const args = ['describe', '--always', '--dirty', '--exclude', '*']
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

/** Writes the table in docs/contributing/performance.md, all figures next to it, and the chart. */
export function writeDocuments(measured) {
  const report = { commit: currentCommit(), ...measured }
  const file = join(root, 'docs/contributing/performance.md')
  const text = readFileSync(file, 'utf8')
  const part = `${originOf(report)}.\n\n${renderTable(report)}`
  const marked = /(<!-- figures:begin -->\n)[\s\S]*(\n<!-- figures:end -->)/
  if (!marked.test(text)) throw new Error(`${file} has no figures:begin and figures:end marks`)
  writeFileSync(
    file,
    text.replace(marked, (_, begin, end) => begin + part + end),
  )
  writeFileSync(join(root, 'docs/contributing/performance.json'), `${JSON.stringify(report, null, 2)}\n`)
  if (report.results.get && report.results.start)
    writeFileSync(join(root, 'docs/images/performance.svg'), renderChart(report))
}
