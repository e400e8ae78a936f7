import { signal } from '@preact/signals'

/** A question that says what will be done before it is. */
export interface Question {
  title: string
  sentences: string[]
  action: string
  danger?: boolean
}

export const question = signal<(Question & { answer: (yes: boolean) => void }) | undefined>(undefined)

export function ask(asked: Question): Promise<boolean> {
  question.value?.answer(false)
  return new Promise(resolve => {
    question.value = {
      ...asked,
      answer(yes) {
        question.value = undefined
        resolve(yes)
      },
    }
  })
}
