import { counted, printable } from '../../basics/text.ts'
import type { Entry } from '../../contract/journal-entry.ts'

const SHOWN = 20

/** What the simulator refused while a command ran: often the reason why it failed. */
export class Failures {
  #count = 0
  #last: string[] = []

  note({ method, path, status, sandbox, explanation }: Entry) {
    if (status !== null && status < 400) return
    this.#count++
    const where = sandbox === 'default' ? '' : ` [${sandbox}]`
    const line = `  ${status ?? '---'} ${method} ${path}${where}  ${explanation?.text ?? ''}`
    this.#last.push(printable(line.trimEnd()))
    if (this.#last.length > SHOWN) this.#last.shift()
  }

  summarise() {
    if (this.#count === 0) return
    const were = `${counted(this.#count, 'request')} ${this.#count === 1 ? 'was' : 'were'}`
    const more = this.#count > SHOWN ? `; the last ${SHOWN}` : ''
    console.error(`edgesim: ${were} not successful${more}:\n${this.#last.join('\n')}`)
  }
}
