/** How the proxies with a configuration in this folder are found and started. */
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const proxies = {
  nginx: {
    file: 'nginx.conf',
    args: ['-p', '.', '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off;'],
    install: 'apt-get install nginx-light, brew install nginx',
  },
  haproxy: {
    file: 'haproxy.cfg',
    args: ['-db', '-f', 'haproxy.cfg'],
    install: 'apt-get install haproxy, brew install haproxy',
  },
}

/** Folders of servers that are often missing from the PATH of a user. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']

/** The path of a program; undefined if it is not installed. */
export const find = name =>
  [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS].map(folder => join(folder, name)).find(existsSync)

/** The configuration in this folder, changed for a proxy on `port` and simulators on `ports`. */
export function configured({ file }, port, ports) {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')
  const isServer = line => /^ *server .*127\.0\.0\.1:460\d/.test(line)
  const first = lines.findIndex(isServer)
  const servers = ports.map((each, i) => lines[first].replace('4601', each).replace('simulator1', `simulator${i + 1}`))
  const others = lines.map(line => line.replace('127.0.0.1:4600', `127.0.0.1:${port}`))
  return [...others.slice(0, first), ...servers, ...others.slice(first).filter(line => !isServer(line))].join('\n')
}
