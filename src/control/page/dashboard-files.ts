import { fail } from '../../engine/error.ts'
import { errors } from '../../engine/errors.ts'
import { distribution } from '../../engine/files/package.ts'
import { get, Reply, type Route } from '../route.ts'
import { sendFile } from './send-file.ts'

const PAGE = 'dist/page'
export const ASSETS = `${PAGE}/assets`

/** Serves only the dashboard and its assets. */
export const dashboardRoutes: Route[] = [
  get('/', 'Get the dashboard', {
    global: true,
    run({ req, res }) {
      if (req.url?.split('?')[0] === '/_sim') return new Reply(302, undefined, { Location: '_sim/' })
      if (!distribution.list(PAGE).includes('index.html'))
        fail(errors.not_found, { what: 'dashboard', exists: 'Build it with npm run build.' })
      return sendFile(res, `${PAGE}/index.html`, 'no-store')
    },
  }),
  get('/assets/{file}', 'Get a dashboard asset', {
    global: true,
    run({ params, res }) {
      const file = params.file!
      if (!distribution.list(ASSETS).includes(file)) fail(errors.not_found, { what: `file ${file.slice(0, 80)}` })
      // The name contains a content hash, so the file never changes.
      sendFile(res, `${ASSETS}/${file}`, 'public, max-age=31536000, immutable')
    },
  }),
]
