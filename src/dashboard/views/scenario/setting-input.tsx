import { DURATION } from '../../../basics/duration.ts'
import type { Setting } from './effects.ts'

interface Props {
  setting: Setting
  value: string
  onChange(value: string): void
}

function Input({ setting: { kind, choices, placeholder, least, most }, value, onChange }: Props) {
  if (choices)
    return (
      <select value={value} onChange={event => onChange(event.currentTarget.value)}>
        {choices.map(choice => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  const common = { required: placeholder === undefined, placeholder, value }
  if (kind === 'number')
    return (
      <input
        type="number"
        step="any"
        min={least}
        max={most}
        {...common}
        onInput={event => onChange(event.currentTarget.value)}
      />
    )
  return (
    <input
      type="text"
      pattern={DURATION.source}
      title="Duration, such as 250ms, 2s or 5m"
      {...common}
      onInput={event => onChange(event.currentTarget.value)}
    />
  )
}

export const SettingInput = (props: Props) => (
  <label class="field">
    <span>{props.setting.label}</span>
    <Input {...props} />
  </label>
)
