import type { ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { fail } from '../../contract/errors.ts'
import { distribution } from '../../files/package.ts'
import { Answer, get, type Route } from '../route.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Only its own files, no inline code, no frames: injected markup cannot run anything. */
const SECURITY = {
  'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
}

const PAGE = 'dist/page'
const ASSETS = `${PAGE}/assets`

/** Serves the page and its assets; no other file of the folder. */
export const dashboardRoutes: Route[] = [
  get('/', 'The page', {
    global: true,
    run({ req, res }) {
      if (req.url?.split('?')[0] === '/_sim') return new Answer(302, undefined, { Location: '/_sim/' })
      if (!distribution.list(PAGE).includes('index.html'))
        fail('not_found', { what: 'page: it has not been built', exists: 'npm run build makes it.' })
      return sendFile(res, `${PAGE}/index.html`, 'no-store')
    },
  }),
  get('/assets/{file}', 'A file of the page', {
    global: true,
    run({ params, res }) {
      const file = params.file!
      if (!distribution.list(ASSETS).includes(file))
        fail('not_found', { what: `file ${file.slice(0, 80)} of the page` })
      // The name has a hash of the content, so the file never changes.
      sendFile(res, `${ASSETS}/${file}`, 'public, max-age=31536000, immutable')
    },
  }),
]

function sendFile(res: ServerResponse, path: string, cache: string) {
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  const bytes = distribution.read(path)
  const headers = { 'Content-Type': type, 'Content-Length': bytes.length, 'Cache-Control': cache }
  res.writeHead(200, { ...SECURITY, ...headers }).end(bytes)
}
