import { onBeforeUnmount } from 'vue'

/** Calls at intervals while the page is visible, for what has no stream. */
export function useVisibleInterval(ms: number, call: () => unknown): void {
  const timer = setInterval(() => {
    if (!document.hidden) {
      call()
    }
  }, ms)
  onBeforeUnmount(() => clearInterval(timer))
}
