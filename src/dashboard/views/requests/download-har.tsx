import { Icon } from '../../parts/icon.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { act } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Har, ListedEntry } from '../../types.ts'

interface Props {
  shown: readonly ListedEntry[]
  filtered: boolean
  all: boolean
}

/** Filters the HAR locally, because the simulator doesn't support all filters of the dashboard. */
async function download({ shown, filtered, all }: Props) {
  const name = `edgesim-${all ? 'all' : sandbox.value}.har`
  const { log } = await sandboxControl<Har>('GET', `/requests.har${all ? '?sandboxes=all' : ''}`)
  const ids = new Set(shown.map(({ id }) => id))
  const entries = filtered ? log.entries.filter(({ _operationId }) => ids.has(_operationId)) : log.entries
  saveFile(name, JSON.stringify({ log: { ...log, entries } }))
}

export function DownloadHar(props: Props) {
  return (
    <button
      type="button"
      class="button quiet"
      disabled={props.shown.length === 0}
      onClick={() => act(() => download(props))}
    >
      <Icon name="download" /> Download HAR
    </button>
  )
}
