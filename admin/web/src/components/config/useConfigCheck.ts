import { ref, shallowRef, watch, type Ref } from 'vue'
import { ApiError } from '@/api/ApiError'
import { checkConfig } from '@/api/configuration'
import type { CheckInput, CheckResult } from '@/api/types'
import { debounced } from '@/live/debounced'

/** Checks a text as a server would, when nothing was typed for a while. Only the answer for the newest text counts. */
export function useConfigCheck(text: Ref<string>, owner: () => Omit<CheckInput, 'content'>) {
  const result = shallowRef<CheckResult>()
  const error = shallowRef<ApiError>()
  const checking = ref(false)
  let newest = 0

  const check = debounced(500, async () => {
    const call = ++newest
    checking.value = true
    try {
      const answer = await checkConfig({ ...owner(), content: text.value })
      if (call === newest) {
        result.value = answer
        error.value = undefined
      }
    } catch (thrown) {
      if (call === newest) {
        error.value = ApiError.from(thrown)
      }
    } finally {
      if (call === newest) {
        checking.value = false
      }
    }
  })

  watch([text, () => JSON.stringify(owner())], () => check(), { immediate: true })
  return { result, error, checking }
}
