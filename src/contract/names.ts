/**
 * What sandboxes, snapshots, fixtures and scenarios may be called: names become parts of tokens, and of paths on disk.
 */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The one version of the API there is. */
export const API_VERSION = '2'

/** Carries the version; the vendor's word is a part of its name. */
export const versionHeader = (vendor: string) => `${vendor[0]!.toUpperCase()}${vendor.slice(1)}-Version`

/** On every answer: which simulator gave it, where several stand behind one address. */
export const INSTANCE_HEADER = 'Edgesim-Instance'
