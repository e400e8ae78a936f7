import { resources } from '../../state/simulator.ts'

/** The table an id belongs to, by its prefix; only among those given. */
export function tableOf(id: string, tables: string[]): string | undefined {
  const prefix = id.slice(0, id.indexOf('_'))
  return resources.value?.kinds.find(kind => kind.prefix === prefix && tables.includes(kind.table))?.table
}
