import { faultKind } from '../fault.ts'

/** The call is carried out, but its answer is lost: the client cannot know, and a retry does it twice. */
export const lostReply = faultKind({
  type: 'lost-reply',
  settings: {},
  make: () => ({
    effect: 'the answer lost, the connection reset',
    async run({ execute }) {
      await execute()
      return { kind: 'ending', reset: true }
    },
  }),
})
