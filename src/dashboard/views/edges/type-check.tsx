import { useSignal } from '@preact/signals'
import { Section } from '../../parts/section.tsx'
import { CheckForm } from './check-form.tsx'

const TYPES = ['agent', 'dashboard', 'api', 'endpoints']

/** No edge shows what most types of restrictions decide, so this form asks for it. */
export function TypeCheck() {
  const type = useSignal(TYPES[0]!)
  return (
    <Section title="Check IP restrictions of a type" class="type-check">
      <CheckForm question={() => ({ type: type.value })} label="Check a type">
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
