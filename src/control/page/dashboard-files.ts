import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fail } from '../../contract/errors.ts'
import type { ControlRoute } from '../route.ts'

interface PageFile {
  bytes: Buffer
  type: string
}

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

/** Serves the page and its assets, which are read on first use; no other file of the folder. */
export function dashboardRoutes(folder: string): ControlRoute[] {
  let assets: Map<string, PageFile> | undefined
  let index: PageFile | undefined

  function load() {
    if (assets) return
    if (!existsSync(join(folder, 'index.html')))
      fail('not_found', { what: 'page: it has not been built', exists: 'npm run build makes it.' })
    index = read(folder, 'index.html')
    const inside = join(folder, 'assets')
    assets = new Map(readdirSync(inside).map(name => [name, read(inside, name)]))
  }

  return [
    {
      method: 'get',
      path: '/',
      summary: 'The page',
      global: true,
      answers: [200],
      run({ req, res }) {
        if (req.url?.split('?')[0] === '/_sim') return { status: 302, headers: { Location: '/_sim/' } }
        load()
        const headers = { ...SECURITY, 'Content-Type': index!.type, 'Cache-Control': 'no-store' }
        res.writeHead(200, { ...headers, 'Content-Length': index!.bytes.length }).end(index!.bytes)
        return undefined
      },
    },
    {
      method: 'get',
      path: '/assets/{file}',
      summary: 'A file of the page',
      global: true,
      answers: [200],
      run({ params, res }) {
        load()
        const file = assets!.get(params.file!)
        if (!file) fail('not_found', { what: `file ${params.file!.slice(0, 80)} of the page` })
        // The name has a hash of the content, so the file never changes.
        const headers = {
          ...SECURITY,
          'Content-Type': file.type,
          'Cache-Control': 'public, max-age=31536000, immutable',
        }
        res.writeHead(200, { ...headers, 'Content-Length': file.bytes.length }).end(file.bytes)
        return undefined
      },
    },
  ]
}

const read = (folder: string, name: string): PageFile => ({
  bytes: readFileSync(join(folder, name)),
  type: TYPES[extname(name)] ?? 'application/octet-stream',
})
