import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { ApiError } from '@/api/ApiError'
import * as calls from '@/api/session'
import type { Role, Session } from '@/api/types'
import { includes } from './roles'

/** The user of the session, as the server reports it; nothing of it is kept in the browser. */
export const useSession = defineStore('session', () => {
  const session = shallowRef<Session>()
  /** Whether the server was asked already. */
  const asked = ref(false)

  const role = computed(() => session.value?.role)
  const operator = computed(() => may('operator'))
  const administrator = computed(() => may('administrator'))

  function may(needed: Role): boolean {
    return role.value !== undefined && includes(role.value, needed)
  }

  /** Loads the session from the server; none is no error. */
  async function load(): Promise<void> {
    try {
      session.value = await calls.session()
      asked.value = true
    } catch (thrown) {
      session.value = undefined
      if (ApiError.from(thrown).status !== 401) {
        throw thrown
      }
      asked.value = true
    }
  }

  async function login(name: string, password: string): Promise<void> {
    session.value = await calls.login(name, password)
    asked.value = true
  }

  async function logout(): Promise<void> {
    try {
      await calls.logout()
    } catch (thrown) {
      if (ApiError.from(thrown).status !== 401) {
        throw thrown
      }
    }
    session.value = undefined
  }

  /** The server does not know the session any more. */
  function ended(): void {
    session.value = undefined
  }

  return { session, asked, role, operator, administrator, may, load, login, logout, ended }
})
