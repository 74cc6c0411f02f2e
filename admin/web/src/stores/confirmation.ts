import { defineStore } from 'pinia'
import { shallowRef } from 'vue'

/** A question that is asked before something is done. */
export interface Confirmation {
  title: string
  /** What will happen, one sentence each. */
  effects: string[]
  /** The label of the button that does it. */
  button: string
  danger?: boolean
  /** A text that has to be typed first, for what cannot be undone. */
  typed?: string
  /** Does it; an error is shown in the dialog, which stays open. */
  run: () => Promise<unknown>
  /** The message after it was done. */
  done?: string | ((result: unknown) => string)
}

/** The one question that is open, if any; ConfirmHost shows it. */
export const useConfirmation = defineStore('confirmation', () => {
  const open = shallowRef<Confirmation>()

  function ask(confirmation: Confirmation): void {
    open.value = confirmation
  }

  function close(): void {
    open.value = undefined
  }

  return { open, ask, close }
})
