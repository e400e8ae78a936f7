import { gradeOf } from '../../contract/evidence.ts'
import { listAssumptions } from '../../engine/assumptions.ts'
import { openapi } from '../../engine/describe/openapi.ts'
import { version } from '../../engine/files/package.ts'
import { ngrok } from '../../ngrok/api.ts'
import type { AssumptionName } from '../../ngrok/assumed.ts'
import { experiments } from '../../ngrok/real-api/probe/experiments.ts'
import type { CliOptions, OptionName } from '../../simulator/options/options.ts'
import { shown } from '../../simulator/options/shown.ts'
import type { Resolved } from '../resolve.ts'

export function printAssumptions({ values }: Resolved): number {
  const { probed, ...assumed } = values.assume ?? {}
  for (const each of listAssumptions(ngrok, assumed, probed)) {
    const { name, question, value, why, evidence, sources_differ, flag, section } = each
    const sets = Object.entries(each.sets)
    const lines = [
      `${name} = ${value}`,
      `${question} (docs/api.md ${section})`,
      why,
      ...evidence.map(source => `${gradeOf(source)}: ${source.says}`),
      ...(evidence.length === 0 ? ['assumed: No known public source.'] : []),
      ...(sources_differ ? ['The sources differ.'] : []),
      ...(flag ? [flag] : []),
      ...sets.map(([set, value]) => `--assume ${set} sets it to ${value}`),
      probeOf(name as AssumptionName),
    ]
    console.log(`${lines.join('\n  ')}\n`)
  }
  return 0
}

function probeOf(name: AssumptionName): string {
  const experiment = experiments[name]
  return 'steps' in experiment ? `edgesim probe --run ${name}` : `No probe: ${experiment.because}`
}

export function printOpenapi({ values }: Resolved): number {
  const url = values.baseUrl ?? `http://127.0.0.1:${values.port}`
  const { probed: _probed, ...assumed } = values.assume ?? {}
  console.log(JSON.stringify(openapi(ngrok, { url, version, vendor: values.vendor!, assumed }), null, 2))
  return 0
}

export function printConfig({ values, sources }: Resolved): number {
  for (const [name, source] of Object.entries(sources)) {
    if (name !== 'printConfig') console.log(`${name} = ${show(name as OptionName, values)}  (${source})`)
  }
  return 0
}

function show(name: OptionName, values: CliOptions): string {
  const value = shown(name, values[name])
  return typeof value === 'string' && value !== values[name] ? value : JSON.stringify(value)
}
