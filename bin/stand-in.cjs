'use strict'
// Node loads this file into every program that `edgesim exec --as HOST` runs (NODE_OPTIONS). A connection to HOST is
// made to the simulator, whoever makes it, and at other ports than its own it fails; all others are made as before. TLS
// is unchanged: the simulator has a certificate for HOST, signed by an authority that NODE_EXTRA_CA_CERTS names.
if (process.env.EDGESIM_STAND_IN) {
  // {"api.example.com": {"443": 40001, "80": 40002}}: by host and port, the port on this machine.
  const hosts = new Map(Object.entries(JSON.parse(process.env.EDGESIM_STAND_IN)))
  const { Socket } = require('node:net')
  const { domainToASCII } = require('node:url')
  const { connect } = Socket.prototype

  const toThisMachine = (_host, options, done) =>
    options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

  Socket.prototype.connect = function (...args) {
    // Node's own callers have made a list of options and listener already.
    const [first, ...more] = Array.isArray(args[0]) ? args[0] : args
    const options = typeof first === 'object' && first !== null ? first : { port: first, host: more[0] }
    // As it would be looked up.
    const host = domainToASCII(String(options.host)).replace(/\.+$/, '')
    const ports = options.path ? undefined : hosts.get(host)
    if (!ports) return connect.apply(this, args)
    const port = ports[options.port]
    if (port === undefined) {
      const why = `edgesim stands in for ${host} at ports ${Object.keys(ports).join(' and ')} only, not at ${options.port}`
      process.nextTick(() => this.destroy(Object.assign(new Error(why), { code: 'ECONNREFUSED' })))
      return this
    }
    const listener = more.find(each => typeof each === 'function')
    return connect.call(this, { ...options, port, lookup: toThisMachine, localAddress: undefined }, listener)
  }
}
