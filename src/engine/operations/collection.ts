import type { Reply } from '../api.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import {
  type Collection,
  type Row,
  type RuleContext,
  regenerate,
  type UsedError,
  withChanges,
  withDefaults,
  withoutReference,
} from '../language/index.ts'
import { questions } from '../questions.ts'
import type { Call } from '../sandbox/index.ts'
import { diffRows, type Op, type Referrer, referrersOf, takenValue } from '../state/index.ts'
import { hashToken, joinToken } from '../token.ts'
import { find, findParent } from './find.ts'
import { lookFor, type Presenting, presentRow, textPresenter } from './present.ts'
import { checkModules, checkNotEmpty, checkReferences, checkRequired, givable, readFields } from './validate.ts'

export function create(call: Call, resource: Collection): Reply {
  const given = readFields(call, resource.fields)
  checkRequired(call, resource.fields, given)
  const parent = findParent(call, resource)
  if (parent) given[resource.partOf!.by] = parent.id
  const id = newId(call, resource)
  const also: Op[] = []
  const { row: own = {}, once } = resource.onCreate?.(given, ruleContext(call, resource, also), id) ?? {}
  const row = newRow(call, resource, id, given, own)
  checkReferences(call, resource.fields, row)
  checkNotEmpty(call, resource.fields, row, '')
  checkModules(call, resource.table, given)
  checkRow(call, resource, row, undefined)
  call.commit([...also, { table: resource.table, id: row.id, before: null, after: row }])
  return { status: 201, body: presentRow(call, resource, row, once) }
}

/** Hooks run for a call, or for the clock. */
type Acting = Presenting & Pick<Call, 'caller'>

const newId = ({ sandbox, tables }: Acting, kind: Collection) =>
  tables.catalog.ids.make(sandbox.ids, kind, id => tables.of(kind.table).orderOf(id) !== undefined)

const newRow = (call: Acting, resource: Collection, id: string, given: object, own: object = {}): Row => ({
  ...own,
  id,
  created_at: call.sandbox.clock.timestamp(),
  ...withDefaults(resource.fields, { ...given, ...own }, generationInput(call, resource, id)),
})

/** Input for the generated values of a record. */
const generationInput = ({ sandbox, caller }: Acting, { table }: Collection, id: string) => ({
  id,
  at: sandbox.clock.timestamp(),
  by: caller.id,
  vendor: sandbox.origin.vendor,
  draw: (size: number) => sandbox.ids.text(size),
  isTaken: (field: string, value: unknown) => sandbox.tables.of(table).first(field, value) !== undefined,
  get: (other: string, otherId: string) => sandbox.tables.get(other, otherId),
})

export function get(call: Call, resource: Collection): Reply {
  return { status: 200, text: [textPresenter(call, resource)(find(call, resource))] }
}

export function update(call: Call, resource: Collection): Reply {
  const requested = readFields(call, resource.fields)
  const before = find(call, resource)
  checkNotEmptyUpdate(call, resource, requested)
  const also: Op[] = []
  const given = resource.onUpdate?.(requested, ruleContext(call, resource, also), before) ?? requested
  checkReferences(call, resource.fields, given)
  checkModules(call, resource.table, given)
  const changed = withChanges(resource.fields, before, given) as Row
  checkRow(call, resource, changed, before)
  const isChanged = JSON.stringify(changed) !== JSON.stringify(before)
  const row = isChanged ? replaceRow(call, resource, before, changed, also) : before
  return { status: 200, body: presentRow(call, resource, row) }
}

function replaceRow(call: Call, resource: Collection, before: Row, changed: Row, also: Op[] = []): Row {
  const after = regenerate(resource.fields, changed, generationInput(call, resource, before.id)) as Row
  call.commit([...also, { table: resource.table, id: before.id, before, after }])
  return after
}

/** Runs the action of a path below a record. */
export function act(call: Call, resource: Collection, key: string): Reply {
  readFields(call, {})
  const before = find(call, resource)
  const after = resource.actions![key]!.act(before, ruleContext(call, resource))
  if (after === null) call.commit(removalOf(call, resource, before))
  else if (after !== before) replaceRow(call, resource, before, after)
  return { status: 204 }
}

/** Some updates must set a field. */
function checkNotEmptyUpdate(call: Call, { errors, fields, label }: Collection, given: Record<string, unknown>) {
  if (!errors?.noValues || Object.keys(given).length > 0 || call.assume(questions.empty_update) === 'accept') return
  fail(errors.noValues, { id: call.params.id!, label, allowed: givable(call, fields) })
}

/** Deletes the record and its parts in one change. (`delete` is a reserved word.) */
export function remove(call: Call, resource: Collection): Reply {
  const before = find(call, resource)
  resource.checkDelete?.(before, ruleContext(call, resource))
  call.commit(removalOf(call, resource, before))
  return { status: 204 }
}

/**
 * Removes the record, its parts, the records that are deleted with it, and the references to it. `removed` contains the
 * removed ids, because a record can be deleted with several others.
 */
function removalOf(call: Call, resource: Collection, before: Row, removed = new Set<string>()): Op[] {
  const { table } = resource
  const key = `${table} ${before.id}`
  if (removed.has(key)) return []
  removed.add(key)
  const { tables } = call.sandbox
  const parts = tables.catalog
    .partsOf(table)
    .flatMap(part => diffRows(part.table, tables.where(part.table, part.partOf!.by, before.id), []))
  return [
    ...dropReferences(call, resource, before.id, removed),
    ...parts,
    { table, id: before.id, before, after: null },
  ]
}

/** Fails if other records refer to this one, or removes or preserves these references: see `delete_referenced`. */
function dropReferences(call: Call, { table, label }: Collection, id: string, removed: Set<string>): Op[] {
  const all = referrersOf(table, id, call.sandbox.tables)
  const goesWith = ({ field }: Referrer) => field.refersTo!.whenDeleted === 'delete'
  const gone = all.filter(goesWith).flatMap(({ kind, row }) => removalOf(call, kind as Collection, row, removed))
  const referrers = all.filter(({ kind, row }) => !removed.has(`${kind.table} ${row.id}`))
  if (referrers.length === 0) return gone
  const mode = call.assume(questions.delete_referenced)
  const documented = ({ field: { refersTo }, row }: Referrer) =>
    typeof refersTo!.whenDeleted === 'function' ? refersTo!.whenDeleted(row) : refersTo!.whenDeleted
  const errorOf = (each: Referrer) => (mode !== 'reject' && documented(each)) || errors.still_used
  // A required reference cannot be removed.
  const isBlocking = (each: Referrer) => (mode === 'detach' ? each.field.required : errorOf(each) !== 'dangle')
  const blocking = referrers.filter(isBlocking)
  if (blocking.length > 0) {
    const error = errorOf(blocking[0]!) as UsedError
    const users = blocking.slice(0, 5).map(({ row }) => row.id)
    fail(error, { id, label, users, more: blocking.length - users.length })
  }
  if (mode !== 'detach') return gone
  const detached = referrers.map(({ kind, row }) => {
    const after = withoutReference(kind.fields, row, table, id) as Row
    return { table: kind.table, id: row.id, before: row, after }
  })
  return [...gone, ...detached]
}

function checkRow(call: Call, resource: Collection, row: Row, before: Row | undefined) {
  resource.check?.(row, before, ruleContext(call, resource))
  const taken = takenValue(resource, row, before, call.sandbox.tables)
  if (taken) fail(resource.unique!.error!, taken)
}

/** Hooks add ops to the change in `also`. */
export function ruleContext(call: Acting, resource: Collection, also: Op[] = []): RuleContext {
  const { sandbox, tables } = call
  const kindOf = (table: string) => tables.catalog.kindOf(table) as Collection
  return {
    ...lookFor(call),
    caller: call.caller,
    fail,
    createAlso(table, given) {
      const row = newRow(call, kindOf(table), newId(call, kindOf(table)), given)
      also.push({ table, id: row.id, before: null, after: row })
      return row
    },
    present: (table, row) => presentRow(call, kindOf(table), row),
    // The token of a new key includes the sandbox's name, because the token selects the sandbox.
    newToken: id => {
      let sha256 = ''
      const secret = sandbox.ids.token(id, token => {
        sha256 = hashToken(token)
        return tables.of(resource.table).first('token_sha256', sha256) !== undefined
      })
      return { token: joinToken({ secret, name: sandbox.name }), sha256 }
    },
  }
}
