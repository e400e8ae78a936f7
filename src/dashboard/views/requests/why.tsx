import { Reasons, Warnings } from '../../parts/reasons.tsx'
import { Section } from '../../parts/section.tsx'
import type { ListedEntry } from '../../types.ts'

type Props = Pick<ListedEntry, 'explanation' | 'rules' | 'assumptions' | 'warnings'>

/** Why a request was answered so. */
export function Why({ explanation, rules, assumptions, warnings }: Props) {
  return (
    <Section title="Why">
      <Reasons explanation={explanation} assumptions={assumptions} />
      <Warnings warnings={warnings} />
      {rules.length > 0 && (
        <>
          <h3>Rules that matched</h3>
          <ul class="fired">
            {rules.map(({ name, fired, effect }) => (
              <li key={name}>
                <span class={`tag ${fired ? 'warn' : 'quiet'}`}>{fired ? '◆ fired' : '◇ did nothing'}</span> {name}
                {fired && <span class="muted">: {effect}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
