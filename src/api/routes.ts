import { operations } from '../resources/index.ts'
import type { Operation } from '../schema/index.ts'

/** What a path leads to, step by step. */
interface Step {
  /** By the text of the next segment. */
  next: Map<string, Step>
  /** Where any segment leads, and the parameter that it is. */
  any?: { name: string; step: Step }
  /** What ends here, by method. */
  methods: Map<string, Operation>
}

const newStep = (): Step => ({ next: new Map(), methods: new Map() })

export interface Route {
  methods: Map<string, Operation>
  params: Record<string, string>
}

/** The paths of the API, compiled: a request follows its segments, whatever the number of routes. */
export function compileRoutes(): (path: string) => Route | undefined {
  const root = newStep()
  for (const operation of operations) {
    let step = root
    for (const segment of operation.path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name) step.any ??= { name, step: newStep() }
      else if (!step.next.has(segment)) step.next.set(segment, newStep())
      step = name ? step.any!.step : step.next.get(segment)!
    }
    step.methods.set(operation.method, operation)
  }
  return path => follow(root, path)
}

function follow(root: Step, path: string): Route | undefined {
  let step = root
  const params: Record<string, string> = {}
  for (let from = 1; from <= path.length; ) {
    const slash = path.indexOf('/', from)
    const to = slash < 0 ? path.length : slash
    const segment = path.slice(from, to)
    const known = step.next.get(segment)
    if (known) step = known
    else if (step.any && segment !== '') {
      params[step.any.name] = segment.includes('%') ? decodeURIComponent(segment) : segment
      step = step.any.step
    } else return undefined
    from = to + 1
  }
  return step.methods.size > 0 ? { methods: step.methods, params } : undefined
}
