/**
 * T as users may give it: the same members, but any string where T asks for certain ones. Imported JSON and users' own
 * interfaces fit, while editors still complete the values. The strings are checked at run time.
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

/** T for one given value: any string where `Given` has the type string; a literal in `Given` must be one that T has. */
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
