import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { strykerPlugins as given } from '@stryker-mutator/vitest-runner'
import { chooseTests } from './coverage.js'
import { inSample, NOT_TRIED } from './sample.js'

/** Stryker's Vitest runner, for test files that start a simulator on load. */
function create(injector) {
  const runner = given[0].factory(injector)
  const [dryRun, mutantRun] = [runner.dryRun.bind(runner), runner.mutantRun.bind(runner)]
  const testFiles = () => runner.ctx.state.getFiles()
  const isolate = value => {
    for (const project of runner.ctx.projects) project.config.isolate = value
  }

  /** Every file reloads the code to measure its coverage. For a mutant, the code loads once. */
  runner.dryRun = async options => {
    isolate(true)
    const result = await dryRun(options).finally(() => isolate(false))
    return result.status === 'complete' ? { ...result, mutantCoverage: chooseTests(result.tests, testFiles()) } : result
  }

  /** The mutant is active on load, so a file that fails to load detects it. */
  runner.mutantRun = async options => {
    if (!inSample(options.activeMutant.id)) return { status: 'error', errorMessage: NOT_TRIED }
    const result = await mutantRun({ ...options, mutantActivation: 'static' })
    const broken = testFiles().find(file => file.result?.state === 'fail')
    if (result.status !== 'survived' || !broken) return result
    const failureMessage = broken.result.errors?.[0]?.message ?? 'did not load'
    return { status: 'killed', killedBy: [], failureMessage, nrOfTests: result.nrOfTests }
  }
  return runner
}
create.inject = ['$injector']

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'vitest-files', create)]
