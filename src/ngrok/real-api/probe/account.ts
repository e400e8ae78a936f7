import { SimulatorError } from '../../../contract/simulator-error.ts'
import type { AssumptionName } from '../../assumed.ts'
import type { Connection } from '../connection.ts'
import { createsRecord, type ProbeMethod, recordsIn } from './experiment.ts'
import { experiments } from './experiments.ts'

type Service = Connection<ProbeMethod>

/** The collections in which the experiments for these assumptions create records. */
export const collectionsWrittenBy = (names: readonly AssumptionName[]) => [
  ...new Set(
    names.flatMap(name => {
      const experiment = experiments[name]
      const steps = 'steps' in experiment ? experiment.steps : []
      return steps.filter(createsRecord).map(({ path }) => path)
    }),
  ),
]

/** Fails if the account has records in these collections, unless the user confirmed the account. */
export async function checkAccount(service: Service, touched: readonly string[], account: string | undefined) {
  const { status } = await service.send('GET', '/api_keys?limit=1')
  if (status !== 200)
    throw new SimulatorError(
      'UNREACHABLE',
      `${service.host} returned status ${status} for this key. No other request was sent.`,
    )
  if (account !== undefined) return checkNamed(service, account)
  for (const path of touched) {
    const { status, body } = await service.send('GET', `${path}?limit=1`)
    const isEmpty = status !== 200 || recordsIn(body).length === 0
    if (!isEmpty)
      throw new SimulatorError(
        'INVALID_OPTION',
        `The account has records at ${path}, where probe creates and deletes records. Use a test account, or confirm this one with --account ID (the ID of one of its API keys or users). Nothing was changed.`,
      )
  }
}

/** Checks that the account has an API key with this id or owner. */
async function checkNamed(service: Service, account: string) {
  for await (const { response } of service.pages('/api_keys?limit=100'))
    if (recordsIn(response.body).some(({ id, owner_id }) => id === account || owner_id === account)) return
  throw new SimulatorError(
    'INVALID_OPTION',
    `--account ${account} is not an API key or key owner of this account. Nothing was changed.`,
  )
}
