import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/afterwards.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map(name => `docs/${name.replaceAll('\\', '/')}`)
  .filter(name => name.endsWith('.md'))
const documents = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'examples/README.md', ...pages]

/** The relative links of a document, with the part behind the # if there is one. */
const linksOf = (document: string) =>
  [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, target = '', anchor]) => ({
    target: target ? join(dirname(document), target) : document,
    anchor,
  }))

/** The anchors of a document: those that GitHub makes of headings, and those that it sets itself. */
function anchorsOf(document: string) {
  const headings = [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...headings, ...[...read(document).matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)]
}

describe('Documents', () => {
  it('link only to files that exist', () => {
    const links = documents.flatMap(document => linksOf(document).map(({ target }) => ({ document, target })))
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter(({ target }) => !existsSync(join(root, target)))).toEqual([])
  })

  it('link only to headings and anchors that exist', () => {
    const links = documents.flatMap(document => linksOf(document).map(link => ({ document, ...link })))
    const broken = links.filter(({ target, anchor }) => anchor && !anchorsOf(target).includes(anchor))
    expect(broken).toEqual([])
  })

  it('name only files of the repository that exist', () => {
    const named = documents
      .filter(document => document !== 'CHANGELOG.md')
      .flatMap(document =>
        [...read(document).matchAll(/`((?:src|test|scripts|docs|examples)\/[^`\s]*)`/g)].map(([, file]) => ({
          document,
          file: file!,
        })),
      )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter(({ file }) => !existsSync(join(root, file)))).toEqual([])
  })

  it('are all listed in docs/README.md', () => {
    const listed = linksOf('docs/README.md').map(({ target }) => target)
    expect(pages.filter(page => page !== 'docs/README.md' && !listed.includes(page))).toEqual([])
  })
})
