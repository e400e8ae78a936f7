import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { launch } from '../support/as-process.ts'

const require = createRequire(import.meta.url)

interface Message {
  id?: number
  method?: string
  params?: object
  result?: unknown
}

interface Diagnostic {
  message: string
  range: { start: { line: number } }
}

type Text = string | { value: string }

const textOf = (text: Text = '') => (typeof text === 'string' ? text : text.value)

/** A YAML editor: runs yaml-language-server in a project with settings, and opens files. */
export async function editorOf(project: string, yaml: object) {
  const command = [process.execPath, require.resolve('yaml-language-server/bin/yaml-language-server')]
  const { child, ended } = launch(['--stdio'], { command, cwd: project })
  const home = pathToFileURL(project).href
  /** Handlers of responses by ID, of server requests by method, and of diagnostics by file. */
  const waiting = new Map<number | string, (message: Message) => void>()

  function send(message: Message) {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  function until(what: number | string): Promise<Message> {
    const early = ended.then(({ code, err }) => Promise.reject(new Error(`The server ended with ${code}: ${err}`)))
    return Promise.race([new Promise<Message>(resolve => waiting.set(what, resolve)), early])
  }

  let bytes = Buffer.alloc(0)
  child.stdout.on('data', (text: string) => {
    bytes = Buffer.concat([bytes, Buffer.from(text)])
    for (let head = bytes.indexOf('\r\n\r\n'); head >= 0; head = bytes.indexOf('\r\n\r\n')) {
      const end = head + 4 + Number(/Content-Length: (\d+)/.exec(bytes.toString('latin1', 0, head))![1])
      if (bytes.length < end) return
      const message: Message = JSON.parse(bytes.toString('utf8', head + 4, end))
      bytes = bytes.subarray(end)
      const { uri } = (message.params ?? {}) as { uri?: string }
      waiting.get(uri ?? message.method ?? message.id!)?.(message)
    }
  })

  let asked = 0
  async function ask<T>(method: string, params: object) {
    const response = until(++asked)
    send({ id: asked, method, params })
    return (await response).result as T
  }

  /** Opens a file. ‸ marks the cursor. */
  function open(file: string, marked: string) {
    const [before = '', after = ''] = marked.split('‸')
    const textDocument = { uri: `${home}/${file}`, languageId: 'yaml', version: 1, text: before + after }
    send({ method: 'textDocument/didOpen', params: { textDocument } })
    const lines = before.split('\n')
    return { textDocument, position: { line: lines.length - 1, character: lines.at(-1)!.length } }
  }

  const capabilities = { workspace: { configuration: true, workspaceFolders: true } }
  const workspaceFolders = [{ uri: home, name: 'project' }]
  await ask('initialize', { processId: process.pid, rootUri: home, workspaceFolders, capabilities })
  // The server sends several requests, and checks no file before the last response.
  const configured = new Promise<void>(resolve => {
    waiting.set('workspace/configuration', ({ id, params }) => {
      const { items } = params as { items: { section: string }[] }
      send({ id, result: items.map(({ section }) => (section === 'yaml' ? yaml : null)) })
      resolve()
    })
  })
  send({ method: 'initialized', params: {} })
  send({ method: 'workspace/didChangeConfiguration', params: { settings: null } })
  await configured

  return {
    async check(file: string, text: string): Promise<string[]> {
      const done = until(`${home}/${file}`)
      open(file, text)
      const { diagnostics } = (await done).params as { diagnostics: Diagnostic[] }
      return diagnostics.map(({ message, range }) => `${range.start.line + 1}: ${message}`)
    },
    async complete(file: string, text: string): Promise<Record<string, string>> {
      const at = open(file, text)
      const { items } = await ask<{ items: { label: string; documentation?: Text }[] }>('textDocument/completion', at)
      return Object.fromEntries(items.map(({ label, documentation }) => [label, textOf(documentation)]))
    },
    /** The description and schema file for the word at the cursor. */
    async hover(file: string, text: string): Promise<string> {
      return textOf((await ask<{ contents: Text } | null>('textDocument/hover', open(file, text)))?.contents)
    },
  }
}
