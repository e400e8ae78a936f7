import type * as expectation from '../contract/expectation.ts'
import type * as har from '../contract/har.ts'
import type * as journal from '../contract/journal-entry.ts'
import type * as traffic from '../contract/traffic.ts'
import type { AssumptionName } from '../ngrok/assumed.ts'
import type { OperationName } from '../ngrok/shapes.ts'

// What crosses HTTP, with the names of the built-in API's operations and assumptions, which editors complete.

export type JournalEntry = journal.JournalEntry<OperationName, AssumptionName>
export type Pattern = expectation.Pattern<OperationName>
export type Expectation = expectation.Expectation<OperationName>
export type Har = har.Har<OperationName>
export type HarEntry = har.HarEntry<OperationName>
export type Decision = traffic.Decision<AssumptionName>
export type TrafficReport = traffic.TrafficReport<AssumptionName>
export type TrafficVerdict = traffic.TrafficVerdict<AssumptionName>
