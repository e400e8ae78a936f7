import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './afterwards.ts'

/** Every document for users and contributors. */
export const DOCUMENTS = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  'examples/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map(name => `docs/${name.replaceAll('\\', '/')}`)
    .filter(name => name.endsWith('.md')),
]

export interface Block {
  line: number
  language: string
  text: string
  /** The HTML comment before it, which defines how tests run it. */
  note: string
}

/** A document's fenced code blocks. */
export function blocksOf(document: string): Block[] {
  const lines = readFileSync(join(root, document), 'utf8').split('\n')
  const blocks: Block[] = []
  for (let i = 0; i < lines.length; i++) {
    const language = /^```(\w*)/.exec(lines[i]!)?.[1]
    if (language === undefined) continue
    const end = lines.indexOf('```', i + 1)
    if (end < 0) throw new Error(`${document}:${i + 1}: a block without an end`)
    const note = /^<!-- (.*) -->$/.exec(lines[i - 1] ?? '')?.[1] ?? ''
    blocks.push({ line: i + 1, language, text: `${lines.slice(i + 1, end).join('\n')}\n`, note })
    i = end
  }
  return blocks
}
