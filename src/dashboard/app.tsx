import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Header } from './header.tsx'
import { Navigation, viewTitle } from './navigation.tsx'
import { AskDialog } from './parts/ask-dialog.tsx'
import { Empty, Notices } from './parts/messages.tsx'
import { TokenDialog } from './parts/token-dialog.tsx'
import { live } from './state/live.ts'
import { place, sandbox } from './state/place.ts'
import { Assumptions } from './views/assumptions.tsx'
import { Edges } from './views/edges/edges.tsx'
import { MissingSandbox } from './views/missing-sandbox.tsx'
import { Overview } from './views/overview/overview.tsx'
import { Requests } from './views/requests/requests.tsx'
import { Resources } from './views/resources/resources.tsx'
import { Scenario } from './views/scenario/scenario.tsx'
import { Time } from './views/time/time.tsx'

const VIEWS: Record<string, ComponentType> = {
  overview: Overview,
  resources: Resources,
  requests: Requests,
  scenario: Scenario,
  edges: Edges,
  time: Time,
  assumptions: Assumptions,
}

export function App() {
  const { view } = place.value
  const View = VIEWS[view]
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = `${viewTitle(view)} · edgesim`
    main.current!.scrollTop = 0
  }, [view])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current!.focus()}>
        Skip to the content
      </button>
      <Navigation />
      <Header title={viewTitle(view)} />
      <main ref={main} id="main" tabIndex={-1} class={`view view-${View ? view : 'none'}`}>
        {live.value === 'gone' ? (
          <MissingSandbox />
        ) : View ? (
          <View key={sandbox.value} />
        ) : (
          <Empty icon="search" title={`There is no view "${view}"`}>
            The address may be mistyped. The views are in the navigation.
          </Empty>
        )}
      </main>
      <Notices />
      <AskDialog />
      <TokenDialog />
    </div>
  )
}
