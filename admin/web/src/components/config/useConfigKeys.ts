import { shallowRef } from 'vue'
import { configKeys } from '@/api/configuration'
import type { ConfigKey } from '@/api/types'

const keys = shallowRef<ConfigKey[]>([])
let asked = false

/** The definitions of all keys; asked for once. Without them there is no completion, and all else works. */
export function useConfigKeys() {
  if (!asked) {
    asked = true
    configKeys().then(
      (all) => (keys.value = all),
      () => (asked = false),
    )
  }
  return keys
}
