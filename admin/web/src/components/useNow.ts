import { onBeforeUnmount, ref } from 'vue'

/** The current time, updated regularly, for texts like "5 minutes ago". */
export function useNow(everyMs = 5_000) {
  const now = ref(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), everyMs)
  onBeforeUnmount(() => clearInterval(timer))
  return now
}
