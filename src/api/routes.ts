import { operations, unsimulated } from '../resources/index.ts'
import type { Operation } from '../schema/index.ts'

/** What a path leads to, step by step. */
interface Step {
  /** By the text of the next segment. */
  next: Map<string, Step>
  /** Where any segment leads. */
  any?: Step
  /** What ends here, by method. */
  methods: Map<string, Operation>
  /** Of what ends here: the parameters on the way, in their order. */
  names: string[]
  /** This path and all below it are known, and not simulated. */
  unsimulated?: string
}

const newStep = (): Step => ({ next: new Map(), methods: new Map(), names: [] })

export interface Route {
  methods: Map<string, Operation>
  params: Record<string, string>
  unsimulated?: string
}

/** The paths of the API, compiled: a request follows its segments, whatever the number of routes. */
export function compileRoutes(): (path: string) => Route | undefined {
  const root = newStep()
  for (const operation of operations) {
    const { step, names } = stepTo(root, operation.path)
    step.methods.set(operation.method, operation)
    step.names = names
  }
  for (const path of unsimulated) stepTo(root, path).step.unsimulated = path
  return path => follow(root, path)
}

function stepTo(root: Step, path: string): { step: Step; names: string[] } {
  let step = root
  const names: string[] = []
  for (const segment of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    const next: Step = (name ? step.any : step.next.get(segment)) ?? newStep()
    if (name) {
      step.any = next
      names.push(name)
    } else step.next.set(segment, next)
    step = next
  }
  return { step, names }
}

function follow(root: Step, path: string): Route | undefined {
  let step = root
  const values: string[] = []
  for (let from = 1; from <= path.length; ) {
    const slash = path.indexOf('/', from)
    const to = slash < 0 ? path.length : slash
    const segment = path.slice(from, to)
    const known = step.next.get(segment)
    if (known) step = known
    else if (step.any && segment !== '') {
      values.push(segment.includes('%') ? decodeURIComponent(segment) : segment)
      step = step.any
    } else return undefined
    if (step.unsimulated !== undefined) return { methods: step.methods, params: {}, unsimulated: step.unsimulated }
    from = to + 1
  }
  if (step.methods.size === 0) return undefined
  const params: Record<string, string> = {}
  for (let i = 0; i < values.length; i++) params[step.names[i]!] = values[i]!
  return { methods: step.methods, params }
}
