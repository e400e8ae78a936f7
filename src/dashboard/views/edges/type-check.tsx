import { useSignal } from '@preact/signals'
import { Section } from '../../parts/section.tsx'
import { CheckForm } from './check-form.tsx'

const TYPES = ['agent', 'dashboard', 'api', 'endpoints']

/** Checks restriction types that apply to no edge. */
export function TypeCheck() {
  const type = useSignal(TYPES[0]!)
  return (
    <Section title="Check IP restrictions by type" class="type-check">
      <CheckForm body={() => ({ type: type.value })} label="Check IP restrictions">
        <label class="field">
          <span>Type</span>
          <select
            value={type.value}
            onChange={event => {
              type.value = event.currentTarget.value
            }}
          >
            {TYPES.map(each => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </CheckForm>
    </Section>
  )
}
