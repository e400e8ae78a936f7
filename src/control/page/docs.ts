import type { ServerResponse } from 'node:http'
import { memoize } from '../../basics/memoize.ts'
import { nearest } from '../../basics/nearest.ts'
import { fail } from '../../engine/error.ts'
import { errors } from '../../engine/errors.ts'
import { distribution } from '../../engine/files/package.ts'
import { get, Reply, type Route } from '../route.ts'
import { ASSETS } from './dashboard-files.ts'
import { send, sendFile } from './send-file.ts'

/** The documents and their pictures, by directory. No other file is served. */
const FOLDERS: Record<string, RegExp> = {
  docs: /\.md$/,
  'docs/api': /\.md$/,
  'docs/contributing': /\.md$/,
  'docs/contributing/decisions': /\.md$/,
  'docs/images': /\.svg$/,
}

const servedIn = (folder: string) => distribution.list(folder).filter(file => FOLDERS[folder]?.test(file))

/** Adds the extension to the name of a document. */
function withExtension(folder: string, page: string): Reply | undefined {
  const file = `${page}.md`
  return servedIn(folder).includes(file) ? new Reply(302, undefined, { Location: file }) : undefined
}

/** The path of the file. Its name is looked up in a list, so it cannot lead elsewhere. */
function find(folder: string, file: string): string {
  const files = servedIn(folder)
  if (!files.includes(file))
    fail(errors.not_found, {
      what: `document ${file.slice(0, 80)}`,
      nearest: nearest(file, files),
      exists: 'GET /_sim/docs lists them.',
    })
  return `${folder}/${file}`
}

const sendDocument = async (res: ServerResponse, path: string) =>
  send(res, 'document.html', await write(path), 'no-store')

/** More than there are. */
const MAX_DOCUMENTS = 100

/** A document takes up to 0.1 s to write, and does not change while the simulator runs. */
const write = memoize(MAX_DOCUMENTS, async (path: string): Promise<Buffer> => {
  const { renderDocument } = await import('./render-document.ts')
  const assets = distribution.list(ASSETS)
  const html = await renderDocument(path, distribution.read(path).toString(), {
    served: new Set(Object.keys(FOLDERS).flatMap(folder => servedIn(folder).map(file => `${folder}/${file}`))),
    style: assets.find(file => /^docs-.*\.css$/.test(file)),
    icon: assets.find(file => /^icon-.*\.svg$/.test(file)),
  })
  return Buffer.from(html)
})

const pagesIn = (folder: string, summary: string, example: string) =>
  get(`/${folder}/{page}`, summary, {
    global: true,
    params: { page: `such as ${example}` },
    run: ({ params: { page }, res }) => withExtension(folder, page!) ?? sendDocument(res, find(folder, page!)),
  })

/** The documentation of the package, as HTML. */
export const docsRoutes: Route[] = [
  get('/docs', 'Get the documentation index', {
    global: true,
    run({ req, res }) {
      if (req.url?.split('?')[0] === '/_sim/docs') return new Reply(302, undefined, { Location: 'docs/' })
      return sendDocument(res, 'docs/README.md')
    },
  }),
  pagesIn('docs', 'Get a documentation page', 'api.md'),
  pagesIn('docs/api', 'Get an API reference page', 'keys.md'),
  pagesIn('docs/contributing', 'Get a page for contributors', 'architecture.md'),
  pagesIn('docs/contributing/decisions', 'Get a design decision', '0001-state.md'),
  get('/docs/images/{file}', 'Get a documentation image', {
    global: true,
    run: ({ params, res }) => sendFile(res, find('docs/images', params.file!), 'no-store'),
  }),
]
