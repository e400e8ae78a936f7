import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { BANNER_ID, Banner, Header } from './header.tsx'
import { KeysDialog, SHELL_KEYS } from './keys.tsx'
import { Navigation, VIEWS } from './navigation.tsx'
import { ConfirmDialog, TokenDialog } from './parts/dialog.tsx'
import { Empty } from './parts/messages.tsx'
import { Notices } from './parts/notices.tsx'
import { MissingSandbox } from './sandboxes.tsx'
import { announcement, startKeys } from './state/keys.ts'
import { live, startLive } from './state/live.ts'
import { place, sandbox } from './state/place.ts'
import { silentSince, startPolling } from './state/simulator.ts'

function App() {
  const { view } = place.value
  const [, title, View] = VIEWS.find(([name]) => name === view) ?? [view, 'Not found']
  const silent = silentSince.value !== undefined
  useEffect(() => {
    document.title = `${silent ? 'No response · ' : ''}${title} · edgesim`
  }, [view, silent])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')!.focus()}>
        Skip to content
      </button>
      <Banner />
      <Navigation />
      <Header title={title} />
      <main
        key={view}
        id="main"
        tabIndex={-1}
        class={`view view-${View ? view : 'none'} ${silent ? 'old' : ''}`}
        aria-describedby={silent ? BANNER_ID : undefined}
      >
        {live.value === 'gone' ? (
          <MissingSandbox />
        ) : View ? (
          <View key={sandbox.value} />
        ) : (
          <Empty icon="search" title={`Unknown view "${view}"`}>
            Check the URL, or choose a view in the navigation.
          </Empty>
        )}
      </main>
      <Notices />
      <p class="hidden" role="status">
        {announcement.value}
      </p>
      <ConfirmDialog />
      <TokenDialog />
      <KeysDialog />
    </div>
  )
}

startLive()
startPolling()
startKeys(SHELL_KEYS)
render(<App />, document.getElementById('page')!)
