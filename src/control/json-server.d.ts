/** json-server ships no types for the two modules of it that we use. */
declare module 'json-server/lib/parse-where.js' {
  export function parseWhere(query: string): object
}

declare module 'json-server/lib/service.js' {
  export class Service {
    constructor(db: { data: Record<string, readonly object[]> })
    find(
      name: string,
      query: { where: object; sort?: string; page?: number; perPage?: number },
    ): object[] | { data: object[] }
  }
}
