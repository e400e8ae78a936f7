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
