import { isObject } from '../../basics/json.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { looksLikeIdentifier } from '../../schema/index.ts'
import type { Connection } from '../connection.ts'
import { type ProbeMethod, recordsIn } from './experiment.ts'
import type { Begun, ProbeJournal } from './journal.ts'

type Service = Connection<ProbeMethod>

/** Something that could not be deleted, and why. */
export interface Left {
  path: string
  why: string
}

/** Deletes what a run has made, the latest first: so what uses something goes before it. */
export async function cleanUp(service: Service, journal: ProbeJournal, { atEnd = false } = {}): Promise<Left[]> {
  await findMade(
    service,
    journal,
    journal.left().filter(({ ids }) => ids.length === 0),
  )
  const left: Left[] = []
  for (const begun of journal.left()) {
    const kept = await deleteAll(service, journal, begun)
    // At the end, what was begun and is not found does not come any more.
    if (kept.length === 0 && (begun.ids.length > 0 || atEnd)) journal.dismiss(begun.mark)
    left.push(...kept)
  }
  return left
}

/** Finds what was begun in the lists, by the marks. */
async function findMade(service: Service, journal: ProbeJournal, begun: Begun[]): Promise<Set<string>> {
  const found = new Set<string>()
  const marks = new Set<unknown>(begun.map(({ mark }) => mark))
  for (const path of new Set(begun.map(each => each.path)))
    for await (const { response } of service.pages(`${path}?limit=100`)) {
      if (response.status !== 200 && !isGone(response.status))
        throw new SimulatorError('UNREACHABLE', `GET ${path} answers with status ${response.status}`)
      for (const item of recordsIn(response.body))
        if (marks.has(item.metadata) && isId(item.id)) {
          journal.made(item.metadata as string, item.id)
          found.add(item.id)
        }
    }
  return found
}

const isId = (id: unknown): id is string => typeof id === 'string' && looksLikeIdentifier(id)

const GONE = 'it is gone'

/** Returns what is not deleted. A service that calls something gone is believed only if its list agrees. */
async function deleteAll(service: Service, journal: ProbeJournal, begun: Begun): Promise<Left[]> {
  const tryAll = async (ids: Iterable<string>) => {
    const kept: Left[] = []
    for (const id of ids) {
      const why = await whyNotDeleted(service, `${begun.path}/${id}`, begun.mark)
      if (why !== undefined) kept.push({ path: `${begun.path}/${id}`, why })
    }
    return kept
  }
  const kept = await tryAll(begun.ids)
  if (kept.length === 0) return []
  const listed = await findMade(service, journal, [begun])
  const others = kept.filter(({ path, why }) => why !== GONE && !listed.has(idIn(path)))
  const again = (await tryAll(listed)).map(({ path, why }) => ({
    path,
    why: why === GONE ? 'it is listed, but GET or DELETE answers that it is gone' : why,
  }))
  return [...others, ...again]
}

const idIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)

async function whyNotDeleted(service: Service, path: string, mark: string): Promise<string | undefined> {
  const why = await whyNotOurs(service, path, mark)
  if (why !== undefined) return why
  const { status } = await service.send('DELETE', path, { repeatable: true })
  return status < 300 ? undefined : isGone(status) ? GONE : `DELETE answers with status ${status}`
}

/** Undefined if it has the mark. To be asked before anything is changed or deleted, whatever the service said before. */
export async function whyNotOurs(service: Service, path: string, mark: string): Promise<string | undefined> {
  const { status, body } = await service.send('GET', path)
  if (isGone(status)) return GONE
  if (status !== 200 || !isObject(body)) return `GET answers with status ${status}`
  return body.metadata === mark
    ? undefined
    : 'its metadata is not the mark, so it is somebody else’s, and was left alone'
}

const isGone = (status: number) => [404, 410, 501].includes(status)
