import type { AssumptionName } from '../../contract/assumptions.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import type { Connection } from '../connection.ts'
import { isMaking, type ProbeMethod, recordsIn } from './experiment.ts'
import { experiments } from './experiments.ts'

type Service = Connection<ProbeMethod>

/** The collections in which the experiments for these assumptions make something. */
export const touchedBy = (names: readonly AssumptionName[]) => [
  ...new Set(
    names.flatMap(name => {
      const experiment = experiments[name]
      const steps = 'steps' in experiment ? experiment.steps : []
      return steps.filter(isMaking).map(({ path }) => path)
    }),
  ),
]

/** Fails if the account has records where something would be made, unless it was named. */
export async function checkAccount(service: Service, touched: readonly string[], account: string | undefined) {
  const { status } = await service.send('GET', '/api_keys?limit=1')
  if (status !== 200)
    throw new SimulatorError(
      'UNREACHABLE',
      `${service.host} answers to this key with status ${status}. Nothing was sent but this.`,
    )
  if (account !== undefined) return checkNamed(service, account)
  for (const path of touched) {
    const { status, body } = await service.send('GET', `${path}?limit=1`)
    const isEmpty = status !== 200 || recordsIn(body).length === 0
    if (!isEmpty)
      throw new SimulatorError(
        'INVALID_OPTION',
        `the account has records at ${path}, where this would make and delete some of its own. Use an account for tests; or, to use this one, name it with --account and the id of one of its API keys or users. Nothing was changed.`,
      )
  }
}

/** The account has an API key of that id, or of that user. */
async function checkNamed(service: Service, account: string) {
  for await (const { response } of service.pages('/api_keys?limit=100'))
    if (recordsIn(response.body).some(({ id, owner_id }) => id === account || owner_id === account)) return
  throw new SimulatorError(
    'INVALID_OPTION',
    `--account ${account}: the account of this key has no API key with this id, nor one of a user with it. Nothing was changed.`,
  )
}
