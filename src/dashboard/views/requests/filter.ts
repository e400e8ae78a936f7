import { failureOf, isOwn } from '../../state/journal.ts'
import type { Entry } from '../../types.ts'

/** As it is in the address. */
export interface Filter {
  text?: string
  method?: string
  status?: string
  operation?: string
  kind?: string
  fired?: string
  own?: string
}

export const FILTER_NAMES = ['text', 'method', 'status', 'operation', 'kind', 'fired', 'own'] as const

export function matches(entry: Entry, filter: Filter): boolean {
  const { text, method, status, operation, kind } = filter
  return (
    (!method || entry.method === method) &&
    (!status || statusMatches(entry.status, status)) &&
    (!operation || (entry.operation ?? 'none') === operation) &&
    (!kind || failureOf(entry) === kind) &&
    (!filter.fired || entry.rules.some(({ fired }) => fired)) &&
    (filter.own !== 'hidden' || !isOwn(entry)) &&
    (!text || textOf(entry).includes(text.toLowerCase()))
  )
}

const statusMatches = (status: number | null, wanted: string) =>
  wanted === 'none' ? status === null : status !== null && `${Math.floor(status / 100)}xx` === wanted

const textOf = ({ id, path, operation, caller, source_ip, query }: Entry) =>
  `${id} ${path} ${new URLSearchParams(query)} ${operation} ${caller?.id} ${caller?.key_id} ${source_ip}`.toLowerCase()
