import spawn from 'cross-spawn'

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the page in the default browser; if that fails, prints its address. */
export function openBrowser(url: string) {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program!, [...args, `${url}/_sim/`], { stdio: 'ignore', detached: true })
  child.on('error', () => console.error(`edgesim: cannot open a browser. The page is at ${url}/_sim/`))
  child.unref()
}
