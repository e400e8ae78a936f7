import { VIEWS } from './navigation.tsx'
import { Dialog } from './parts/dialog.tsx'
import { type Key, keysNow, openDetail, shortcutsShown } from './state/keys.ts'
import { goTo, place } from './state/place.ts'
import { setter } from './state/signals.ts'

const inMain = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(`#main ${selector}`)].find(element => element.offsetParent)

/** Shortcuts that work in every view. */
export const SHELL_KEYS: readonly Key[] = [
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

export const KeysDialog = () =>
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
