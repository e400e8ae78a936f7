import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { BANNER_ID, Banner, Header, Notices } from './header.tsx'
import { Navigation, VIEWS } from './navigation.tsx'
import { ConfirmDialog, Dialog, TokenDialog } from './parts/dialog.tsx'
import { Empty } from './parts/messages.tsx'
import { MissingSandbox } from './sandboxes.tsx'
import { announcement, type Key, keysNow, openDetail, shortcutsShown, startKeys } from './state/keys.ts'
import { live, startLive } from './state/live.ts'
import { goTo, place, sandbox } from './state/place.ts'
import { setter } from './state/signals.ts'
import { silentSince, startPolling } from './state/simulator.ts'

const inMain = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(`#main ${selector}`)].find(element => element.offsetParent)

/** Shortcuts that work in every view. */
const SHELL_KEYS: readonly Key[] = [
  { keys: ['/'], what: 'Search this view', press: () => inMain('input[type="search"]')?.focus() },
  {
    keys: ['n'],
    what: 'Create a record (in Resources)',
    press: () => place.value.view === 'resources' && inMain('.filters a[href*="/new"]')?.click(),
  },
  {
    keys: ['Escape'],
    what: 'Leave a field, or close the details',
    press: () => openDetail()?.querySelector<HTMLElement>('a.back')?.click(),
  },
  ...VIEWS.map(([view, title], i) => ({
    keys: [`g ${i + 1}`],
    what: `Go to ${title}`,
    press: () => goTo([view]),
  })),
  { keys: ['?'], what: 'Show keyboard shortcuts', press: setter(shortcutsShown, true) },
]

const KEY_SYMBOLS: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' }

/** `j or ↓`, `g then 1` */
const KeyCombination = ({ keys }: { keys: readonly string[] }) =>
  keys.map((key, i) => (
    <span key={key}>
      {i > 0 && ' or '}
      {key.split(' ').map((part, j) => (
        <span key={part}>
          {j > 0 && ' then '}
          <kbd>{KEY_SYMBOLS[part] ?? part}</kbd>
        </span>
      ))}
    </span>
  ))

const KeysDialog = () =>
  shortcutsShown.value && (
    <Dialog title="Keyboard shortcuts" onClose={setter(shortcutsShown, false)}>
      <p>Shortcuts work when no text field has focus. Don't hold Ctrl, Alt or Meta.</p>
      <dl class="facts keys">
        {keysNow().map(({ keys, what }) => (
          <div key={keys[0]}>
            <dt>
              <KeyCombination keys={keys} />
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )

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
