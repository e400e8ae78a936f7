/** The one version of the API there is. */
export const API_VERSION = '2'

/** Carries the version; the vendor's word is a part of its name. */
export const versionHeader = (vendor: string) => `${vendor[0]!.toUpperCase()}${vendor.slice(1)}-Version`
