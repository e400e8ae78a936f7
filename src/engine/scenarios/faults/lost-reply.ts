import { faultKind } from '../fault.ts'

/** The call is executed, but its response is lost. The client cannot know, so a retry executes it twice. */
export const lostReply = faultKind({
  type: 'lost-reply',
  settings: {},
  make: () => ({
    effect: 'response lost, connection reset',
    async run({ execute }) {
      await execute()
      return { kind: 'ending', reset: true }
    },
  }),
})
