import { getCurrentScope, onScopeDispose, ref, shallowRef } from 'vue'
import { ApiError } from '@/api/ApiError'

/**
 * Data that is loaded by a call, with its states: loading (nothing yet), error, and data.
 *
 * Of several calls only the answer of the newest counts. A failed reload keeps the old data beside the error.
 */
export function useResource<T>(load: () => Promise<T>) {
  const data = shallowRef<T>()
  const error = shallowRef<ApiError>()
  const loading = ref(false)
  let newest = 0

  async function reload(): Promise<void> {
    const call = ++newest
    loading.value = true
    try {
      const answer = await load()
      if (call === newest) {
        data.value = answer
        error.value = undefined
      }
    } catch (thrown) {
      if (call === newest) {
        error.value = ApiError.from(thrown)
      }
    } finally {
      if (call === newest) {
        loading.value = false
      }
    }
  }

  return { data, error, loading, reload }
}

/**
 * Lets a call through at most once in `ms`; the last one is made up for, unless the component was unmounted that has made this. For lists
 * that follow a stream.
 */
export function throttled(ms: number, call: () => void): () => void {
  let last = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined
  if (getCurrentScope() !== undefined) {
    onScopeDispose(() => clearTimeout(timer))
  }
  return () => {
    const wait = last + ms - Date.now()
    if (wait <= 0) {
      last = Date.now()
      call()
    } else {
      timer ??= setTimeout(() => {
        timer = undefined
        last = Date.now()
        call()
      }, wait)
    }
  }
}
