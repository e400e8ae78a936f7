/**
 * What is accepted where a value is given: the same members, but any text where it asks for certain ones. So JSON that
 * is imported and interfaces of users' own fit, while editors still know the names. What a text must be is checked when
 * it is used.
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

/** The same for a given value alone: T, but any text where of `Given` only that is known. What it writes out is not let off. */
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
