import { NAME } from '../../contract/names.ts'
import type { ListedEntry } from '../types.ts'
import { inTemplate, quoted } from './literals.ts'
import { headersOf, NO_TOKEN, type Sendable } from './sendable.ts'

const allowsBody = (method: string) => method !== 'GET' && method !== 'HEAD'

/** Comments about parts that fetch cannot send. */
function limitsOf({ method, path, body }: Sendable, url: string): string {
  const target = url + path
  const { origin, pathname, search } = new URL(URL.canParse(target) ? target : url)
  const changed = origin + pathname + search === target ? '' : `// fetch changes the path to ${pathname}${search}\n`
  return body === undefined || allowsBody(method) ? changed : `${changed}// fetch cannot send a body with ${method}.\n`
}

/** Bytes, if fetch would add a content type to a string. */
function bodyOf({ headers, encoding }: Sendable, body: string): string {
  if (encoding) return `Uint8Array.from(atob(${quoted(body)}), byte => byte.charCodeAt(0))`
  return headers.some(([name]) => name === 'content-type') ? quoted(body) : `new TextEncoder().encode(${quoted(body)})`
}

/** A call of fetch. The target and the header values become expressions. */
function toCall(sendable: Sendable, target: string, toValue = quoted): string {
  const { method, body } = sendable
  const toName = (name: string) => (/^[a-z]+$/i.test(name) ? name : quoted(name))
  const headers = headersOf(sendable).map(([name, value]) => `\n    ${toName(name)}: ${toValue(value)},`)
  const sent = body !== undefined && allowsBody(method) ? `\n  body: ${bodyOf(sendable, body)},` : ''
  return `fetch(${target}, {\n  method: ${quoted(method)},\n  headers: {${headers.join('')}\n  },${sent}\n})`
}

export const toFetch = (sendable: Sendable, url: string) => `${limitsOf(sendable, url)}\
const response = await ${toCall(sendable, quoted(url + sendable.path))}
console.log(response.status, await response.text())
`

/** The token in a test's sandbox, as part of a template. `own` is the default token of the original sandbox. */
function tokenIn(token: string, own: string | null): string {
  const [secret = '', name = 'default'] = token.split(/~(.*)/s)
  if (!NAME.test(name)) return inTemplate(token)
  return token === own ? `\${sandbox.token}` : `${inTemplate(secret)}~\${sandbox.name}`
}

/** A logged response, or the response of Try it. */
export type Received = Pick<ListedEntry, 'operation' | 'status' | 'rules'> & { body: unknown }

/** A Vitest test that repeats the request in its own sandbox, and expects the same status and error code. */
export function toTest(sendable: Sendable, { operation, status, rules, body }: Received, own: string | null): string {
  const { method, path, token = NO_TOKEN } = sendable
  const toValue = (value: string) =>
    token !== null && value === `Bearer ${token}` ? `\`Bearer ${tokenIn(token, own)}\`` : quoted(value)
  const call = toCall(sendable, `\`\${sandbox.url}${inTemplate(path)}\``, toValue)
  const title = `${operation ?? `${method} ${path.split('?')[0]}`} ${status === null ? 'gets no response' : `returns ${status}`}`
  const code = method !== 'HEAD' && Number(status) >= 400 && Object(body).error_code
  const statements = [
    rules.filter(rule => rule.fired).map(({ name }) => `// The scenario rule ${quoted(name)} applied.\n`),
    limitsOf(sendable, 'http://localhost'),
    status === null
      ? `await expect(${call}).rejects.toThrow()\n`
      : `const response = await ${call}\nexpect(response.status).toBe(${status})\n`,
    typeof code === 'string' ? `expect(await response.json()).toMatchObject({ error_code: ${quoted(code)} })` : '',
  ]
  return `import { expect, test } from 'edgesim/vitest'

test(${quoted(title)}, async ({ sandbox }) => {
${statements.flat().join('').replace(/^/gm, '  ').trimEnd()}
})
`
}
