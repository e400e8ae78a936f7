import type { Signal } from '@preact/signals'

/** A handler that writes its argument into the signal. */
export const writer =
  <T>(signal: Signal<T>) =>
  (value: T) => {
    signal.value = value
  }

/** A handler that sets the signal to this value. */
export const setter =
  <T>(signal: Signal<T>, value: T) =>
  () => {
    signal.value = value
  }
