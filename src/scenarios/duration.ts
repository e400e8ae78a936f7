import * as z from 'zod'
import { parseDuration } from '../files/duration.ts'
import { issue } from '../schema/index.ts'

/** `250ms`, `2s`, `5m`, `24h` */
export const duration = () =>
  z
    .string()
    .check(ctx => {
      if (parseDuration(ctx.value) === undefined) issue(ctx, { expected: 'a duration like 250ms, 2s, 5m or 24h' })
    })
    .meta({ pattern: '^\\d+(\\.\\d+)?(ms|s|m|h)$', examples: ['250ms', '2s'] })

/** Milliseconds of a duration that was checked before. */
export const toMs = (text: string) => parseDuration(text)!
