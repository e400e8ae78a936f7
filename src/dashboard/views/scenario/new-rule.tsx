import { useSignal } from '@preact/signals'
import { DURATION } from '../../../basics/duration.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Check, Field, Select, typed } from '../../parts/inputs.tsx'
import { Code } from '../../parts/json-view.tsx'
import { Failure, FormError } from '../../parts/messages.tsx'
import { TagsInput } from '../../parts/tags-input.tsx'
import { useSubmit } from '../../state/actions.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl, scenario } from '../../state/simulator.ts'
import { operationOptions } from '../try-it/target-input.tsx'
import { EFFECTS, EMPTY_FORM, effectOf, nameOf, type RuleForm, ruleOf, type Setting, settingOf } from './rule-form.ts'
import { addRule, ruleText } from './scenario-text.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Optional limits. By default, a rule always fires. */
const LIMITS: (Setting & { name: 'percent' | 'times' })[] = [
  { name: 'percent', label: 'Percentage of calls', kind: 'number', placeholder: '100', least: 0.0001, most: 100 },
  { name: 'times', label: 'Maximum times', kind: 'number', placeholder: 'unlimited', least: 1 },
]

function SettingInput(props: Setting & { value: string; onChange(value: string): void }) {
  const { label, kind, choices, placeholder, least, most, value, onChange } = props
  if (choices) return <Select label={label} value={value} choices={choices} onChange={onChange} />
  const text = { required: placeholder === undefined, placeholder, value, onInput: typed(onChange) }
  return (
    <Field label={label}>
      {kind === 'number' ? (
        <input type="number" step="any" min={least} max={most} {...text} />
      ) : (
        <input type="text" pattern={DURATION.source} title="Duration, such as 250ms, 2s or 5m" {...text} />
      )}
    </Field>
  )
}

/** A form for a rule. It adds the rule to the editor without activating it. */
export function NewRule({ onClose }: { onClose(): void }) {
  const form = useSignal(EMPTY_FORM)
  const operation = useSignal<string | undefined>(undefined)
  const amend = (change: Partial<RuleForm>) => {
    form.value = { ...form.value, ...change }
  }
  const rule = ruleOf(form.value)
  const preview = useRemote('new rule', JSON.stringify(rule), signal => ruleText(rule, signal))
  const { submit, busy, error } = useSubmit(async () => {
    await sandboxControl('PUT', '/scenario?dry_run=true', { body: { name: 'new', rules: [rule] } })
    await addRule(rule, scenario.value!)
    onClose()
    return 'Rule added to the editor. Activate the scenario to apply it.'
  })
  const effect = effectOf(form.value)
  const { operations, methods, settings, name } = form.value
  return (
    <Dialog
      title="New rule"
      onClose={onClose}
      wide
      close="Cancel"
      onSubmit={submit}
      actions={
        <Button look="primary" submit disabled={busy}>
          Add to scenario
        </Button>
      }
    >
      <TagsInput
        label="Operations"
        none="any"
        placeholder="Search, such as create api_key"
        chosen={operations}
        onChange={chosen => amend({ operations: chosen })}
        typed={operation}
        options={operationOptions(operation.value)}
      />
      <fieldset class="field">
        <legend>
          Methods <span class="muted">{methods.length === 0 ? 'any' : methods.length}</span>
        </legend>
        <div class="actions">
          {METHODS.map(method => (
            <Check
              key={method}
              label={method}
              checked={methods.includes(method)}
              onChange={on =>
                amend({ methods: METHODS.filter(each => (each === method ? on : methods.includes(each))) })
              }
            />
          ))}
        </div>
      </fieldset>
      <div class="rule-settings">
        <Select
          label="Effect"
          value={effect.name}
          choices={EFFECTS.map(({ name, label }) => [name, label] as const)}
          onChange={chosen => amend({ effect: chosen })}
        />
        {effect.settings.map(setting => (
          <SettingInput
            key={`${effect.name} ${setting.name}`}
            {...setting}
            value={settingOf(form.value, setting)}
            onChange={value => amend({ settings: { ...settings, [`${effect.name} ${setting.name}`]: value } })}
          />
        ))}
      </div>
      <p class="muted small-text">{effect.hint}</p>
      <div class="rule-settings">
        {LIMITS.map(setting => (
          <SettingInput
            key={setting.name}
            {...setting}
            value={form.value[setting.name]}
            onChange={value => amend({ [setting.name]: value })}
          />
        ))}
        <Field label="Name">
          <input
            type="text"
            maxLength={100}
            placeholder={nameOf(form.value)}
            value={name}
            onInput={typed(text => amend({ name: text }))}
          />
        </Field>
      </div>
      {preview.error ? <Failure error={preview.error} /> : <Code text={preview.data ?? ''} what="Rule YAML" />}
      <FormError error={error} />
    </Dialog>
  )
}
