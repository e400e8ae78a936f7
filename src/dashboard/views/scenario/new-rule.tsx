import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure, FormError } from '../../parts/messages.tsx'
import { useSubmit } from '../../state/actions.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl, scenario } from '../../state/simulator.ts'
import { EFFECTS, type Setting } from './effects.ts'
import { OperationsInput } from './operations-input.tsx'
import { EMPTY_FORM, effectOf, nameOf, type RuleForm, ruleOf, settingOf } from './rule-form.ts'
import { draftWithRule, ruleText, setDraft } from './scenario-text.ts'
import { SettingInput } from './setting-input.tsx'

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Optional limits. By default, a rule always fires. */
const LIMITS: (Setting & { name: 'percent' | 'times' })[] = [
  { name: 'percent', label: 'Percentage of calls', kind: 'number', placeholder: '100', least: 0.0001, most: 100 },
  { name: 'times', label: 'Maximum times', kind: 'number', placeholder: 'unlimited', least: 1 },
]

function Preview({ form }: { form: RuleForm }) {
  const rule = ruleOf(form)
  const { data, error } = useRemote('new rule', JSON.stringify(rule), signal => ruleText(rule, signal))
  if (error) return <Failure error={error} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre class="rule-preview" tabIndex={0} aria-label="Rule YAML" role="region">
      {data}
    </pre>
  )
}

/** A form for a rule. It adds the rule to the editor without activating it. */
export function NewRule({ onClose }: { onClose(): void }) {
  const form = useSignal(EMPTY_FORM)
  const amend = (change: Partial<RuleForm>) => {
    form.value = { ...form.value, ...change }
  }
  const { submit, busy, error } = useSubmit(async () => {
    const rule = ruleOf(form.value)
    await sandboxControl('PUT', '/scenario?dry_run=true', { body: { name: 'new', rules: [rule] } })
    setDraft(await draftWithRule(rule, scenario.value))
    onClose()
    return 'Rule added to the editor. Activate the scenario to apply it.'
  })
  const effect = effectOf(form.value)
  const { operations, methods } = form.value
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
      <OperationsInput chosen={operations} onChange={chosen => amend({ operations: chosen })} />
      <fieldset class="field">
        <legend>
          Methods <span class="muted">{methods.length === 0 ? 'any' : methods.length}</span>
        </legend>
        <div class="actions">
          {METHODS.map(method => (
            <label key={method} class="check">
              <input
                type="checkbox"
                checked={methods.includes(method)}
                onChange={() => amend({ methods: METHODS.filter(m => (m === method) !== methods.includes(m)) })}
              />
              {method}
            </label>
          ))}
        </div>
      </fieldset>
      <div class="rule-settings">
        <label class="field">
          <span>Effect</span>
          <select value={form.value.effect} onChange={event => amend({ effect: event.currentTarget.value })}>
            {EFFECTS.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {effect.settings.map(setting => (
          <SettingInput
            key={`${effect.name} ${setting.name}`}
            setting={setting}
            value={settingOf(form.value, setting)}
            onChange={value =>
              amend({ settings: { ...form.value.settings, [`${effect.name} ${setting.name}`]: value } })
            }
          />
        ))}
      </div>
      <p class="muted small-text">{effect.hint}</p>
      <div class="rule-settings">
        {LIMITS.map(setting => (
          <SettingInput
            key={setting.name}
            setting={setting}
            value={form.value[setting.name]}
            onChange={value => amend({ [setting.name]: value })}
          />
        ))}
        <label class="field">
          <span>Name</span>
          <input
            type="text"
            maxLength={100}
            placeholder={nameOf(form.value)}
            value={form.value.name}
            onInput={event => amend({ name: event.currentTarget.value })}
          />
        </label>
      </div>
      <Preview form={form.value} />
      <FormError error={error} />
    </Dialog>
  )
}
