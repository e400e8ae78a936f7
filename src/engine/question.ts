import type { Evidence } from '../contract/evidence.ts'

/** Behaviour of an API that its documentation leaves open. The first value is the default. Some have no other. */
export interface Question<V extends string = string> {
  readonly name: string
  readonly values: readonly V[]
}

/** A question as an API answers it. `--assume NAME=VALUE` or a scenario selects another value. */
export interface Assumption {
  /** The section of its documentation. */
  section: string
  question: string
  values: readonly string[]
  /** The reason for the default. */
  why: string
  /** All public sources, the strongest first. They can disagree. */
  evidence?: readonly Evidence[]
}

/** The changed values, by name. The others have their defaults. */
export type Assumed = Readonly<Record<string, string | undefined>>

type Table = Readonly<Record<string, Pick<Question, 'values'>>>

/** Gives each question its name. */
export const defineQuestions = <const T extends Table>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, { values }]) => [name, { name, values }])) as unknown as {
    [N in keyof T]: Question<T[N]['values'][number]>
  }

export const answerTo = <V extends string>({ name, values }: Question<V>, assumed: Assumed): V =>
  (assumed[name] ?? values[0]) as V

/** Asks for the value of a question. */
export type Ask = <V extends string>(question: Question<V>) => V
