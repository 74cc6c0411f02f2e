import type { ConfigKey } from '@/api/types'
import { keyHelpZh } from '@/i18n/keyHelp.zh'

/** The help of a key in the language of the page; or in English, if there is none in that language. */
export interface KeyHelp {
  text: string
  /** As an attribute `lang`, for what is not in the language of the page. */
  foreign: 'en' | undefined
}

export function keyHelp(key: Pick<ConfigKey, 'key' | 'description'>, language: string): KeyHelp {
  if (language !== 'zh') {
    return { text: key.description, foreign: undefined }
  }
  const chinese = keyHelpZh[key.key]
  return chinese === undefined ? { text: key.description, foreign: 'en' } : { text: chinese, foreign: undefined }
}
