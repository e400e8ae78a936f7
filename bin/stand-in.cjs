'use strict'
// NODE_OPTIONS loads this file into every Node process that `edgesim exec --as HOST` runs. It redirects connections to HOST
// to the simulator, and fails them at ports other than 443 and 80. Connections to other hosts are unchanged. TLS works as
// before: the simulator has a certificate for HOST, signed by an authority in NODE_EXTRA_CA_CERTS.
if (process.env.EDGESIM_STAND_IN) {
  // Local ports by host and port: {"api.example.com": {"443": 40001, "80": 40002}}.
  const hosts = new Map(Object.entries(JSON.parse(process.env.EDGESIM_STAND_IN)))
  const { Socket } = require('node:net')
  const { domainToASCII } = require('node:url')
  const { connect } = Socket.prototype

  const lookUpLoopback = (_host, options, done) =>
    options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)

  Socket.prototype.connect = function (...args) {
    // Callers inside Node pass a list of options and listener.
    const [first, ...more] = Array.isArray(args[0]) ? args[0] : args
    const options = typeof first === 'object' && first !== null ? first : { port: first, host: more[0] }
    // Normalized as in a DNS lookup.
    const host = domainToASCII(String(options.host)).replace(/\.+$/, '')
    const ports = options.path ? undefined : hosts.get(host)
    if (!ports) return connect.apply(this, args)
    const port = ports[options.port]
    if (port === undefined) {
      const why = `edgesim redirects ${host} only at ports ${Object.keys(ports).join(' and ')}, not at port ${options.port}`
      process.nextTick(() => this.destroy(Object.assign(new Error(why), { code: 'ECONNREFUSED' })))
      return this
    }
    const listener = more.find(each => typeof each === 'function')
    return connect.call(this, { ...options, port, lookup: lookUpLoopback, localAddress: undefined }, listener)
  }
}
