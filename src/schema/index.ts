export type { Row } from '../contract/journal-entry.ts'
export * from './address.ts'
export * from './field.ts'
export * from './headers.ts'
export * from './operation.ts'
export * from './problem.ts'
export * from './references.ts'
export * from './resource.ts'
export {
  anyObject,
  identifier,
  isIdentifier,
  listOf,
  looksLikeIdentifier,
  type Members,
  matching,
  objectOf,
  type Shape,
  text as textShape,
} from './shape.ts'
export * from './time.ts'
