/** What everything is measured against: node:http alone, and Express as its manual shows it. `reference.js KIND PORT` */
import { createServer } from 'node:http'

const [kind, port] = process.argv.slice(2)
const key = {
  id: 'ak_admin',
  uri: `http://127.0.0.1:${port}/api_keys/ak_admin`,
  created_at: '2026-01-01T09:00:00Z',
  description: "The admin's key",
  metadata: '{"environment":"local"}',
  owner_id: 'usr_admin',
  token: null,
}

async function bodyOf(req) {
  let text = ''
  for await (const chunk of req) text += chunk
  return JSON.parse(text)
}

async function bare(req, res) {
  const created = req.method === 'POST' ? { ...key, ...(await bodyOf(req)) } : key
  const text = JSON.stringify(created)
  res.writeHead(created === key ? 200 : 201, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  res.end(text)
}

if (kind === 'bare') createServer(bare).listen(Number(port), '127.0.0.1')
else {
  const { default: express } = await import('express')
  const app = express()
  app.get('/api_keys/:id', (_req, res) => res.json(key))
  app.listen(Number(port), '127.0.0.1')
}
