/** What an agent did wrong, in words that tell it what to do instead. */
export class Refusal extends Error {
  override name = 'Refusal'
}
