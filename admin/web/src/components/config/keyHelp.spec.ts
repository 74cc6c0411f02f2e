// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ConfigKey } from '@/api/types'
import { keyHelpZh } from '@/i18n/keyHelp.zh'
import { FIELDS } from '@/properties/commonForm'
import { keyDocs, type KeyWords } from './keyDocs'
import { keyHelp } from './keyHelp'

const ROOT = join(import.meta.dirname, '../../../../..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The generated page has the same English help as the API. */
const english = new Map(
  [...read('docs/configuration.md').matchAll(/^\| `(canal\.[\w.]+)` \|.*\| ([^|]+) \| (?:reload|restart) \|$/gm)].map(
    ([, key, help]) => [key!, help!],
  ),
)
const shipped = ['canal.properties', 'example/instance.properties'].flatMap((file) =>
  [...read(`deployer/src/main/package/conf/${file}`).matchAll(/^#?(canal\.[\w.]+) *=/gm)].map(([, key]) => key!),
)

describe('the help of keys', () => {
  it('is there in both languages for each key of the form', () => {
    for (const key of Object.values(FIELDS)) {
      expect([key, english.get(key)]).toEqual([key, expect.stringMatching(/\w/)])
      expect([key, keyHelpZh[key]]).toEqual([key, expect.stringMatching(/\p{Script=Han}/u)])
    }
  })

  it('is there in both languages for each key of the files that are shipped', () => {
    expect(shipped.length).toBeGreaterThan(50)
    expect(shipped.filter((key) => !english.has(key))).toEqual([])
    expect(shipped.filter((key) => keyHelpZh[key] === undefined)).toEqual([])
  })

  it('is in Chinese for no key that does not exist', () => {
    expect(Object.keys(keyHelpZh).filter((key) => !english.has(key))).toEqual([])
  })

  it('has whole pieces of code', () => {
    expect(Object.entries(keyHelpZh).filter(([, text]) => (text.split('`').length - 1) % 2 !== 0)).toEqual([])
  })

  it('is in English, and marked as such, where there is no other', () => {
    const known = { key: 'canal.mq.topic', description: 'The topic.' }
    const unknown = { key: 'canal.none', description: 'English.' }
    expect(keyHelp(known, 'en')).toEqual({ text: 'The topic.', foreign: undefined })
    expect(keyHelp(known, 'zh').foreign).toBeUndefined()
    expect(keyHelp(known, 'zh').text).not.toBe('The topic.')
    expect(keyHelp(unknown, 'en')).toEqual({ text: 'English.', foreign: undefined })
    expect(keyHelp(unknown, 'zh')).toEqual({ text: 'English.', foreign: 'en' })
  })

  it('says in the editor that it is in English only', () => {
    const key: ConfigKey = {
      key: 'canal.none',
      scope: 'both',
      type: 'text',
      defaultValue: null,
      description: 'English.',
      values: [],
      secret: false,
      effect: 'reload',
      group: '',
    }
    const words: KeyWords = {
      language: 'zh',
      foreign: '此项暂无中文说明：',
      defaultValue: '',
      values: '',
      effect: { reload: '', restart: '' },
      secret: '',
    }
    expect(keyDocs(key, words).textContent).toContain('此项暂无中文说明：English.')
    expect(keyDocs(key, words).querySelector('[lang="en"]')?.textContent).toBe('English.')
    expect(keyDocs({ ...key, key: 'canal.mq.topic' }, words).textContent).not.toContain('此项暂无中文说明')
  })
})
