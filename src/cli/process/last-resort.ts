import type { Simulator } from '../../simulator/types.ts'
import type { Log } from '../log/log.ts'

/**
 * Errors that nobody caught are defects of ours. They are told, and the server goes on: nobody should lose a world of
 * records for one bad request. Unless a change was half made: then nothing more is written, and it ends.
 */
export function watchDefects(
  simulator: Pick<Simulator, 'isSound'>,
  log: Pick<Log, 'onNotice'>,
  end: () => void,
  emitter: NodeJS.EventEmitter = process,
) {
  const onDefect = (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log.onNotice({ level: 'error', text: `this is a defect of edgesim, please report it: ${text}` })
    if (simulator.isSound()) return
    log.onNotice({ level: 'error', text: 'a change was only half made: it ends, so that nothing wrong is written' })
    end()
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) emitter.on(event, onDefect)
}
