import { SimulatorError } from '../contract/simulator-error.ts'

const PROXY_ADVICE =
  'A proxy in front of several simulators must send all requests of a sandbox to the same one: by the name in /_sim/sandboxes/{name}, and by what follows ~ in the bearer token (docs/scale-out.md)'

/** Checks that one simulator answers all requests for a sandbox. On another one, its data would seem to be lost. */
export class InstanceWatch {
  #first: string | undefined

  constructor(
    readonly url: string,
    readonly sandbox: string,
  ) {}

  /** `instance` is from an answer of the control plane; undefined where a proxy answered by itself. */
  answered(instance: string | undefined) {
    if (this.#isSame(instance)) return
    throw new SimulatorError(
      'TWO_INSTANCES',
      `Two simulators (${this.#first}, then ${instance}) answer at ${this.url} for the sandbox "${this.sandbox}". ${PROXY_ADVICE}. If the simulator was restarted, the sandbox is gone: connect again, and create it again.`,
    )
  }

  /** `instance` is from an answer to a request with the sandbox's own token. */
  answeredToken(instance: string | undefined) {
    if (this.#isSame(instance)) return
    throw new SimulatorError(
      'TWO_INSTANCES',
      `At ${this.url}, requests with the token of the sandbox "${this.sandbox}" reach another simulator (${instance}) than the control plane's requests for it (${this.#first}). ${PROXY_ADVICE}.`,
    )
  }

  #isSame(instance: string | undefined): boolean {
    this.#first ??= instance
    return instance === undefined || instance === this.#first
  }
}
