import { version as fromPackage } from '../package.json' with { type: 'json' }

export const version: string = fromPackage
