import { SimulatorError } from '../contract/simulator-error.ts'

const HOW =
  'A proxy before several simulators must send all requests of a sandbox to the same one: by the name in /_sim/sandboxes/{name}, and by what follows ~ in the bearer token (docs/scale-out.md)'

/**
 * Which simulator answers for a sandbox. When it is another all of a sudden, what the sandbox held is not there: that
 * must not look like lost data.
 */
export class InstanceWatch {
  #first: string | undefined

  constructor(
    readonly url: string,
    readonly sandbox: string,
  ) {}

  /** Of an answer of the control plane; undefined where a proxy answered by itself. */
  answered(instance: string | undefined) {
    if (this.#isSame(instance)) return
    throw new SimulatorError(
      'TWO_INSTANCES',
      `Two simulators (${this.#first}, then ${instance}) answer at ${this.url} for the sandbox "${this.sandbox}". ${HOW}. If the simulator was restarted, the sandbox is gone: connect again, and make it anew.`,
    )
  }

  /** Of an answer to the sandbox's own token. */
  answeredToken(instance: string | undefined) {
    if (this.#isSame(instance)) return
    throw new SimulatorError(
      'TWO_INSTANCES',
      `At ${this.url}, requests with the token of the sandbox "${this.sandbox}" reach another simulator (${instance}) than the control plane's requests for it (${this.#first}). ${HOW}.`,
    )
  }

  #isSame(instance: string | undefined): boolean {
    this.#first ??= instance
    return instance === undefined || instance === this.#first
  }
}
