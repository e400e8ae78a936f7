export { RuleSet } from './rule-set.ts'
export * from './scenario.ts'
export { scenarioSchema } from './schema.ts'
