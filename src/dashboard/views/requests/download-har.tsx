import { Icon } from '../../parts/icon.tsx'
import { act } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Entry, Har } from '../../types.ts'

/** The simulator does not know all filters of the page, so the page selects the entries that are shown. */
async function download(shown: readonly Entry[], filtered: boolean) {
  const name = `edgesim-${sandbox.value}.har`
  const { log } = await sandboxControl<Har>('GET', '/requests.har')
  const ids = new Set(shown.map(({ id }) => id))
  const entries = filtered ? log.entries.filter(({ _operationId }) => ids.has(_operationId)) : log.entries
  save(name, JSON.stringify({ log: { ...log, entries } }))
}

/** Saves from memory: a link to the file could not send the control token. */
function save(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  // Some browsers begin to read it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export function DownloadHar({ shown, filtered }: { shown: readonly Entry[]; filtered: boolean }) {
  return (
    <button
      type="button"
      class="button quiet"
      disabled={shown.length === 0}
      onClick={() => act(() => download(shown, filtered))}
    >
      <Icon name="download" /> Download HAR
    </button>
  )
}
