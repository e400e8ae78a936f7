import { Reasons, Warnings } from '../../parts/reasons.tsx'
import { Section } from '../../parts/section.tsx'
import type { ListedEntry } from '../../types.ts'

type Props = Pick<ListedEntry, 'explanation' | 'rules' | 'assumptions' | 'warnings'>

/** Explains a response. */
export function Why({ explanation, rules, assumptions, warnings }: Props) {
  return (
    <Section title="Explanation">
      <Reasons explanation={explanation} assumptions={assumptions} />
      <Warnings warnings={warnings} />
      {rules.length > 0 && (
        <>
          <h3>Matched rules</h3>
          <ul class="fired">
            {rules.map(({ name, fired, effect }) => (
              <li key={name}>
                <span class={`tag ${fired ? 'warn' : 'quiet'}`}>{fired ? '◆ fired' : '◇ not fired'}</span> {name}
                {fired && <span class="muted">: {effect}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
