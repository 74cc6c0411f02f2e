import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { i18n, languageOf, type Language } from '@/i18n'

export type Theme = 'system' | 'light' | 'dark'

const THEME = 'sluice.theme'
const LANGUAGE = 'sluice.language'

/** Language and theme: all that is kept in the browser. */
export const usePreferences = defineStore('preferences', () => {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const systemDark = ref(system.matches)
  system.addEventListener('change', (event) => (systemDark.value = event.matches))

  const theme = ref<Theme>(known(stored(THEME), ['system', 'light', 'dark']) ?? 'system')
  const language = ref<Language>(known(stored(LANGUAGE), ['en', 'zh']) ?? languageOf(navigator.languages))
  const dark = computed(() => theme.value === 'dark' || (theme.value === 'system' && systemDark.value))

  function apply(): void {
    document.documentElement.classList.toggle('dark', dark.value)
    document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
    i18n.global.locale.value = language.value
  }

  function useTheme(next: Theme): void {
    theme.value = next
    store(THEME, next)
  }

  function useLanguage(next: Language): void {
    language.value = next
    store(LANGUAGE, next)
  }

  watch([dark, language], apply)

  return { theme, language, dark, apply, useTheme, useLanguage }
})

function known<T extends string>(value: string | null, values: readonly T[]): T | undefined {
  return values.find((candidate) => candidate === value)
}

/** A browser may forbid storage; the choice then lasts until the page is closed. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // see stored
  }
}
