import { Icon } from '../../parts/icon.tsx'
import { act } from '../../state/actions.ts'
import { sandbox } from '../../state/place.ts'
import { here } from '../../state/simulator.ts'
import type { Entry, Har } from '../../types.ts'

/** The page has filters that the simulator does not know, so what is shown is picked out here. */
async function download(shown: readonly Entry[], filtered: boolean) {
  const name = `edgesim-${sandbox.value}.har`
  const { log } = await here<Har>('GET', '/requests.har')
  const ids = new Set(shown.map(({ id }) => id))
  const entries = filtered ? log.entries.filter(({ _operationId }) => ids.has(_operationId)) : log.entries
  save(name, JSON.stringify({ log: { ...log, entries } }))
}

/** A link could not send the control token. */
function save(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  // Not at once: some browsers have not begun to read it when the click is over.
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
