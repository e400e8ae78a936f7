import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { inSample, NOT_TRIED } from './sample.js'

/** No test detected it, or no test covers it. */
const SURVIVED = ['Survived', 'NoCoverage']
/** Also detected: mutants that hang or break the run. */
const NOTICED = ['Killed', 'Timeout', 'RuntimeError']

const pathOf = ({ fileName }) => relative('', fileName).replaceAll('\\', '/')
const folderOf = result => pathOf(result).split('/').slice(0, 2).join('/')
const lineOf = (name, cells) => [name.padEnd(24), ...cells.map(cell => String(cell).padStart(9))].join('')

export function printReport(all, file) {
  // Uncovered mutants need no run, but only those in the sample count.
  const results = all.filter(({ id, statusReason }) => !statusReason?.includes(NOT_TRIED) && inSample(id))
  const survivors = results.filter(({ status }) => SURVIVED.includes(status))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, survivors.map(survivor => `${describe(survivor)}\n`).join(''))

  console.log(`\n${lineOf('', ['mutants', 'noticed', 'survived', 'score'])}`)
  for (const folder of new Set(results.map(folderOf)))
    console.log(lineOf(folder, count(results.filter(result => folderOf(result) === folder))))
  console.log(lineOf('all', count(results)))
  console.log(
    `\n${results.length} of ${all.length} mutants were tried. ${survivors.length} survivors: ${relative('', file)}`,
  )
}

function count(results) {
  const of = statuses => results.filter(({ status }) => statuses.includes(status)).length
  const [noticed, survived] = [of(NOTICED), of(SURVIVED)]
  const score = noticed + survived === 0 ? '-' : `${((100 * noticed) / (noticed + survived)).toFixed(1)} %`
  return [results.length, noticed, survived, score]
}

/** FILE:LINE:COLUMN  mutator  original → replacement */
function describe(survivor) {
  const { location, mutatorName, replacement, status } = survivor
  const { start } = location
  const original = textAt(readFileSync(survivor.fileName, 'utf8'), location)
  const change = [original, replacement].map(text => text.replace(/\s+/g, ' ')).join(' → ')
  const note = status === 'NoCoverage' ? '  (no test comes by)' : ''
  return `${pathOf(survivor)}:${start.line}:${start.column}  ${mutatorName}  ${change}${note}`
}

function textAt(text, { start, end }) {
  const lines = text.split('\n').slice(start.line - 1, end.line)
  lines.push(lines.pop().slice(0, end.column - 1))
  lines[0] = lines[0].slice(start.column - 1)
  return lines.join('\n')
}
