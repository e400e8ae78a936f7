/** json-server has no types for these modules. */
declare module 'json-server/lib/parse-where.js' {
  export function parseWhere(query: string): object
}

declare module 'json-server/lib/matches-where.js' {
  export function matchesWhere(value: object, where: object): boolean
}

declare module 'json-server/lib/paginate.js' {
  export function paginate(list: object[], page: number, perPage: number): object
}
