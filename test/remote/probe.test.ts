import { describe, expect, it } from 'vitest'
import { cases, service } from './probing.ts'

describe('A probe', () => {
  it.for(cases)('finds $name=$value, and leaves nothing', async ({ name, value, assume }) => {
    const { probe, state } = await service({ assume })
    const before = await state()
    const { verdicts, left, stopped } = await probe([name])
    expect({ verdicts, left, stopped }).toEqual({ verdicts: { [name]: { value } }, left: [], stopped: undefined })
    expect(await state()).toBe(before)
  })
})
