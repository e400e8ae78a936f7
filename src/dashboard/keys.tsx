import { VIEW_NAMES } from './navigation.tsx'
import { CloseAction, Dialog } from './parts/dialog.tsx'
import { type Key, keysNow, keysShown, openDetail } from './state/keys.ts'
import { goTo, place } from './state/place.ts'

const inMain = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(`#main ${selector}`)].find(element => element.offsetParent)

function clickIfThere(element: HTMLElement | null | undefined) {
  if (!element) return false
  return element.click()
}

function focusSearch() {
  const field = inMain('input[type="search"]')
  if (!field) return false
  return field.focus()
}

/** The keys that work everywhere. */
export const SHELL_KEYS: readonly Key[] = [
  { keys: ['/'], what: 'Search in this view', press: focusSearch },
  {
    keys: ['n'],
    what: 'New record, in Resources',
    press: () => place.value.view === 'resources' && clickIfThere(inMain('.filters a[href*="/new"]')),
  },
  {
    keys: ['Escape'],
    what: 'Leave a field; close the detail',
    press: () => clickIfThere(openDetail()?.querySelector<HTMLElement>('a.back')),
  },
  ...VIEW_NAMES.map(([view, title], i) => ({
    keys: [`g ${i + 1}`],
    what: `Go to ${title}`,
    press: () => goTo([view]),
  })),
  {
    keys: ['?'],
    what: 'This list',
    press: () => {
      keysShown.value = true
    },
  },
]

const SIGNS: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc' }

/** `j or ↓`, `g then 1` */
const Pressed = ({ keys }: { keys: readonly string[] }) =>
  keys.map((key, i) => (
    <span key={key}>
      {i > 0 && ' or '}
      {key.split(' ').map((part, j) => (
        <span key={part}>
          {j > 0 && ' then '}
          <kbd>{SIGNS[part] ?? part}</kbd>
        </span>
      ))}
    </span>
  ))

export function KeysDialog() {
  if (!keysShown.value) return null
  const close = () => {
    keysShown.value = false
  }
  return (
    <Dialog title="Keys" onClose={close}>
      <p>They work where nothing is typed, and not with Ctrl, Alt or Meta.</p>
      <dl class="facts keys">
        {keysNow().map(({ keys, what }) => (
          <div key={keys[0]}>
            <dt>
              <Pressed keys={keys} />
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <CloseAction onClose={close} />
    </Dialog>
  )
}
