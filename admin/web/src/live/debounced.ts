import { getCurrentScope, onScopeDispose } from 'vue'

/** Calls once after the calls have stopped for `ms`; not any more after the component was unmounted that has made it. */
export function debounced<A extends unknown[]>(ms: number, call: (...args: A) => void): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  if (getCurrentScope() !== undefined) {
    onScopeDispose(() => clearTimeout(timer))
  }
  return (...args) => {
    clearTimeout(timer)
    timer = setTimeout(() => call(...args), ms)
  }
}
