import fc from 'fast-check'
import { afterAll, TestRunner } from 'vitest'
import { finishFile } from '../support/afterwards.ts'

// What is left behind is not looked at: the run of a mutant ends in the middle of the test that fails.
afterAll(finishFile)

// Stryker runs tests in a thread, whose folder cannot be changed.
process.chdir = () => TestRunner.getCurrentTest()!.context.skip('needs a process of its own')

// A mutant that survives once should survive the next time.
fc.configureGlobal({ seed: 1 })
