import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { BANNER_ID, Banner } from './banner.tsx'
import { Header } from './header.tsx'
import { KeysDialog } from './keys.tsx'
import { Navigation, viewTitle } from './navigation.tsx'
import { ConfirmDialog } from './parts/dialog.tsx'
import { Empty } from './parts/messages.tsx'
import { Notices } from './parts/notices.tsx'
import { TokenDialog } from './parts/token-dialog.tsx'
import { silentSince } from './state/connection.ts'
import { announcement } from './state/keys.ts'
import { live } from './state/live.ts'
import { place, sandbox } from './state/place.ts'
import { Assumptions } from './views/assumptions/assumptions.tsx'
import { Edges } from './views/edges/edges.tsx'
import { MissingSandbox } from './views/missing-sandbox.tsx'
import { Overview } from './views/overview/overview.tsx'
import { Report } from './views/report/report.tsx'
import { Requests } from './views/requests/requests.tsx'
import { Resources } from './views/resources/resources.tsx'
import { Scenario } from './views/scenario/scenario.tsx'
import { Time } from './views/time/time.tsx'
import { Console } from './views/try-it/try-it.tsx'

const VIEWS: Record<string, ComponentType> = {
  overview: Overview,
  resources: Resources,
  requests: Requests,
  scenario: Scenario,
  edges: Edges,
  time: Time,
  assumptions: Assumptions,
  console: Console,
  report: Report,
}

export function App() {
  const { view } = place.value
  const View = VIEWS[view]
  const main = useRef<HTMLElement>(null)
  const silent = silentSince.value !== undefined
  useEffect(() => {
    document.title = `${silent ? 'No response · ' : ''}${viewTitle(view)} · edgesim`
  }, [view, silent])
  useEffect(() => {
    main.current!.scrollTop = 0
  }, [view])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current!.focus()}>
        Skip to content
      </button>
      <Banner />
      <Navigation />
      <Header title={viewTitle(view)} />
      <main
        ref={main}
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
