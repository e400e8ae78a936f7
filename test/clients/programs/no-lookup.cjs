'use strict'
// Node loads this first. It blocks connections that are not sent to the simulator, so none leaves the machine. It also
// shows that existing Node options are preserved.
const dns = require('node:dns')
const { isIP } = require('node:net')
const { lookup } = dns

dns.lookup = (host, ...more) => {
  if (!host || host === 'localhost' || isIP(host)) return lookup(host, ...more)
  const error = Object.assign(new Error(`${host} was looked up`), { code: 'ENOTFOUND' })
  process.nextTick(more.at(-1), error)
}
process.noLookup = true
