import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

/** Lists the slowest files at the end of a run. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const rows = modules
      .map(module => ({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1000 }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN)
    if (modules.length <= SHOWN) return
    console.log(
      `\nSlowest files:\n${rows.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`).join('\n')}\n`,
    )
  }
}
