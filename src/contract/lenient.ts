/**
 * T as input: the same fields, but any string where T has literals. Accepts imported JSON and users' interfaces, while
 * editors still complete the values. The strings are checked at run time.
 */
export type Lenient<T> = T extends string
  ? string extends T
    ? string
    : T | (string & {})
  : T extends readonly (infer Item)[]
    ? readonly Lenient<Item>[]
    : T extends object
      ? { [Key in keyof T]: Lenient<T[Key]> }
      : T

/** T for one input: any string where `Given` has the type string. A literal in `Given` must be one of T's. */
export type LenientFor<T, Given> = T extends string
  ? string extends Given
    ? string
    : T
  : T extends readonly (infer Item)[]
    ? readonly LenientFor<Item, Given extends readonly (infer GivenItem)[] ? GivenItem : never>[]
    : T extends object
      ? {
          [Key in keyof T]: LenientFor<
            T[Key],
            Given extends unknown ? (Key extends keyof Given ? Given[Key] : never) : never
          >
        }
      : T
