import { isObject } from '../../../basics/json.ts'
import { SimulatorError } from '../../../contract/simulator-error.ts'
import { looksLikeIdentifier } from '../../../engine/language/index.ts'
import type { Connection } from '../connection.ts'
import { type ProbeMethod, recordsIn } from './experiment.ts'
import type { Begun, ProbeJournal } from './journal.ts'

type Service = Connection<ProbeMethod>

/** A record that was not deleted, and why. */
export interface Left {
  path: string
  why: string
}

/** Deletes the records of a run, newest first, so records go before the ones they use. */
export async function cleanUp(service: Service, journal: ProbeJournal, { atEnd = false } = {}): Promise<Left[]> {
  await findCreated(
    service,
    journal,
    journal.left().filter(({ ids }) => ids.length === 0),
  )
  const left: Left[] = []
  for (const begun of journal.left()) {
    const remaining = await deleteAll(service, journal, begun)
    // At the end, a record that was not found will not appear later.
    if (remaining.length === 0 && (begun.ids.length > 0 || atEnd)) journal.dismiss(begun.mark)
    left.push(...remaining)
  }
  return left
}

/** Finds created records in the lists, by their markers. */
async function findCreated(service: Service, journal: ProbeJournal, begun: Begun[]): Promise<Set<string>> {
  const found = new Set<string>()
  const marks = new Set<unknown>(begun.map(({ mark }) => mark))
  for (const path of new Set(begun.map(each => each.path)))
    for await (const { response } of service.pages(`${path}?limit=100`)) {
      if (response.status !== 200 && !isGone(response.status))
        throw new SimulatorError('UNREACHABLE', `GET ${path} returned status ${response.status}.`)
      for (const item of recordsIn(response.body))
        if (marks.has(item.metadata) && isId(item.id)) {
          journal.made(String(item.metadata), item.id)
          found.add(item.id)
        }
    }
  return found
}

const isId = (id: unknown): id is string => typeof id === 'string' && looksLikeIdentifier(id)

const NOT_FOUND = 'not found'

/** Returns the records not deleted. A record that the API reports as gone must also be missing from its list. */
async function deleteAll(service: Service, journal: ProbeJournal, begun: Begun): Promise<Left[]> {
  const tryAll = async (ids: Iterable<string>) => {
    const remaining: Left[] = []
    for (const id of ids) {
      const why = await whyNotDeleted(service, `${begun.path}/${id}`, begun.mark)
      if (why !== undefined) remaining.push({ path: `${begun.path}/${id}`, why })
    }
    return remaining
  }
  const remaining = await tryAll(begun.ids)
  if (remaining.length === 0) return []
  const listed = await findCreated(service, journal, [begun])
  const others = remaining.filter(({ path, why }) => why !== NOT_FOUND && !listed.has(idIn(path)))
  const again = (await tryAll(listed)).map(({ path, why }) => ({
    path,
    why: why === NOT_FOUND ? 'listed, but GET or DELETE returns not found' : why,
  }))
  return [...others, ...again]
}

const idIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)

async function whyNotDeleted(service: Service, path: string, mark: string): Promise<string | undefined> {
  const why = await whyNotOurs(service, path, mark)
  if (why !== undefined) return why
  const { status } = await service.send('DELETE', path, { repeatable: true })
  return status < 300 ? undefined : isGone(status) ? NOT_FOUND : `DELETE returned status ${status}`
}

/** Undefined if the record has the marker. Call this before every change or deletion. */
export async function whyNotOurs(service: Service, path: string, mark: string): Promise<string | undefined> {
  const { status, body } = await service.send('GET', path)
  if (isGone(status)) return NOT_FOUND
  if (status !== 200 || !isObject(body)) return `GET returned status ${status}`
  return body.metadata === mark ? undefined : 'its metadata is not the marker, so it was not changed'
}

const isGone = (status: number) => [404, 410, 501].includes(status)
