import { isObject } from '../../basics/json.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { looksLikeIdentifier } from '../../schema/index.ts'
import type { Connection } from '../connection.ts'
import { type ProbeMethod, recordsIn } from './experiment.ts'
import type { ProbeJournal } from './journal.ts'

type Service = Connection<ProbeMethod>

/** Something that could not be deleted, and why. */
export interface Left {
  path: string
  why: string
}

interface Manner {
  /** What was begun and is not found does not come any more. */
  atEnd?: boolean
  /** Time has passed since it was made: somebody else may use it by now, and have changed the mark. */
  later?: boolean
}

/** Deletes what a run has made, the latest first: so what uses something goes before it. */
export async function cleanUp(service: Service, journal: ProbeJournal, { atEnd, later }: Manner = {}): Promise<Left[]> {
  await findMade(service, journal)
  const left: Left[] = []
  for (const { path, mark, ids } of journal.left()) {
    const kept: Left[] = []
    for (const id of ids) {
      const why = await whyNotDeleted(service, `${path}/${id}`, later ? mark : undefined)
      if (why !== undefined) kept.push({ path: `${path}/${id}`, why })
    }
    if (kept.length === 0 && (ids.length > 0 || atEnd)) journal.settle(mark)
    left.push(...kept)
  }
  return left
}

/** Finds the ids of what was begun and never answered, by the marks. */
async function findMade(service: Service, journal: ProbeJournal) {
  const unknown = journal.left().filter(({ ids }) => ids.length === 0)
  const marks = new Set<unknown>(unknown.map(({ mark }) => mark))
  for (const path of new Set(unknown.map(each => each.path)))
    for await (const { answer } of service.pages(`${path}?limit=100`)) {
      if (answer.status !== 200 && !isGone(answer.status))
        throw new SimulatorError('UNREACHABLE', `GET ${path} answers with status ${answer.status}`)
      for (const item of recordsIn(answer.body))
        if (marks.has(item.metadata) && isId(item.id)) journal.made(item.metadata as string, item.id)
    }
}

const isId = (id: unknown): id is string => typeof id === 'string' && looksLikeIdentifier(id)

/** Deletes it; if a mark is given, only if it still has it. */
async function whyNotDeleted(service: Service, path: string, mark: string | undefined): Promise<string | undefined> {
  if (mark !== undefined) {
    const { status, body } = await service.send('GET', path)
    if (isGone(status)) return undefined
    if (status !== 200 || !isObject(body)) return `GET answers with status ${status}`
    if (body.metadata !== mark) return 'its metadata is not the mark any more, so somebody else uses it'
  }
  const { status } = await service.send('DELETE', path, { repeatable: true })
  return status < 300 || isGone(status) ? undefined : `DELETE answers with status ${status}`
}

const isGone = (status: number) => [404, 410, 501].includes(status)
