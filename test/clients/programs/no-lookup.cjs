'use strict'
// Node loads this before anything else: a connection that is not sent to the simulator ends here, so that it cannot
// leave the machine. It also shows that options of Node that were there before are kept.
const dns = require('node:dns')
const { isIP } = require('node:net')
const { lookup } = dns

dns.lookup = (host, ...more) => {
  if (!host || host === 'localhost' || isIP(host)) return lookup(host, ...more)
  const error = Object.assign(new Error(`${host} was looked up`), { code: 'ENOTFOUND' })
  process.nextTick(more.at(-1), error)
}
process.noLookup = true
