import { createI18n } from 'vue-i18n'
import en from './en'
import zh from './zh'

export type Language = 'en' | 'zh'

/** Returns the language for a browser that prefers these, in this order. */
export function languageOf(preferred: readonly string[]): Language {
  for (const language of preferred) {
    if (/^zh\b/i.test(language)) {
      return 'zh'
    }
    if (/^en\b/i.test(language)) {
      return 'en'
    }
  }
  return 'en'
}

export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  messages: { en, zh },
})
