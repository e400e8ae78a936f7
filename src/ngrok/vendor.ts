import { capital } from '../basics/text.ts'

/** The only version of the API. */
export const API_VERSION = '2'

const vendorHeader = (vendor: string, name: string) => `${capital(vendor)}-${name}`

/** The version header, such as `Service-Version`. */
export const versionHeader = (vendor: string) => vendorHeader(vendor, 'Version')

/** The vendor's host names. They end in `.example` (a reserved domain) for vendors other than ngrok. */
export const vendorHosts = (vendor: string) =>
  vendor === 'ngrok'
    ? {
        api: 'api.ngrok.com',
        suffixes: ['ngrok.app', 'ngrok.dev', 'ngrok.io', 'ngrok-free.app', 'ngrok-free.dev', 'ngrok.pizza'],
        cname: 'ngrok-cname.com',
        tcp: 'ngrok.io',
        signIn: 'idp.ngrok.com',
        ingress: 'connect.ngrok-endpoints.com',
      }
    : {
        api: undefined,
        suffixes: [`${vendor}.example`],
        cname: `${vendor}-cname.example`,
        tcp: `${vendor}.example`,
        signIn: `idp.${vendor}.example`,
        ingress: `connect.${vendor}-endpoints.example`,
      }

/** The known vendor with an API at one of the hosts. */
export const vendorAt = (hosts: readonly string[]) => (hosts.includes(vendorHosts('ngrok').api!) ? 'ngrok' : undefined)

/** The vendor's name for the header with the id of a request. */
export const operationHeader = (vendor: string) => vendorHeader(vendor, 'Operation-Id')
