import type { Json, Kind, Row } from '../../types.ts'

/** Parameters of a path are fields of the record; one that is not known yet stays. */
export const fillPath = (path: string, record: Json) =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => (record[name] ? encodeURIComponent(String(record[name])) : whole))

/** What the path says, a body does not. */
export const inPath = ({ path }: Kind, name: string) => path?.includes(`{${name}}`) === true

/** Where the API has that record. */
export const pathTo = ({ path }: Kind, row: Row) => fillPath(`${path}/{id}`, row)
