import fc from 'fast-check'
import { afterAll, TestRunner } from 'vitest'
import { finishFile } from '../support/afterwards.ts'

// Leftovers are not checked, because a failed test ends the run of a mutant.
afterAll(finishFile)

// Stryker runs tests in threads, which cannot change their working directory.
process.chdir = () => TestRunner.getCurrentTest()!.context.skip('needs its own process')

// With a fixed seed, the same mutants survive in every run.
fc.configureGlobal({ seed: 1 })
