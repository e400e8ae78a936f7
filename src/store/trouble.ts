/** Tells when the disk stops taking changes and when it takes them again: once each, however many it refuses. */
export class Trouble {
  #met = false

  constructor(
    readonly file: string,
    readonly tell: (text: string) => void,
  ) {}

  begin(error: Error) {
    if (!this.#met) this.tell(`${this.file} cannot be written to, so changes are refused: ${error.message}`)
    this.#met = true
  }

  end() {
    if (this.#met) this.tell(`${this.file} can be written to again`)
    this.#met = false
  }
}
