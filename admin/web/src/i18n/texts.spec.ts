import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import en from './en'
import { languageOf } from './index'
import zh from './zh'

type Texts = { [key: string]: string | Texts }

/** All keys with their texts, such as common.all. */
function flat(texts: Texts, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, value]) =>
      typeof value === 'string' ? { [prefix + key]: value } : flat(value, `${prefix}${key}.`),
    ),
  ) as Record<string, string>
}

const english = flat(en)
const chinese = flat(zh)
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()

function sources(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(vue|ts)$/.test(name) && !/\.spec\.ts$/.test(name) && !name.includes('generated'))
    .map((name) => readFileSync(join(directory, name), 'utf8'))
}

describe('texts', () => {
  it('are there in both languages', () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort())
  })

  it('have the same placeholders in both languages', () => {
    for (const [key, text] of Object.entries(english)) {
      const expected = placeholders(text)
      expect([key, placeholders(chinese[key]!)]).toEqual([key, expected])
    }
  })

  it('are not empty', () => {
    expect(Object.entries({ ...english, ...chinese }).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  it('have no character that the formatter would take for a sign of its own', () => {
    const plurals = ['overview.problemCount', 'config.hasErrors']
    const marked = Object.entries({ ...english, ...chinese }).filter(
      ([key, text]) => /@/.test(text) || (/\|/.test(text) && !plurals.includes(key)),
    )
    expect(marked).toEqual([])
  })

  it('exist for each key that the pages use', () => {
    const used = sources(join(import.meta.dirname, '..')).flatMap((source) => [
      ...source.matchAll(/\bt\(\s*(?:'([\w.]+)'|`([\w.]*)\$\{[^}]+\}([\w.]*)`)/g),
    ])
    expect(used.length).toBeGreaterThan(400)
    const missing = used
      .map(([, whole, start, end]) => [whole, start, end])
      .filter(([whole, start, end]) =>
        whole !== undefined
          ? english[whole] === undefined
          : !Object.keys(english).some((key) => key.startsWith(start!) && key.endsWith(end!)),
      )
    expect(missing).toEqual([])
  })
})

describe('the language', () => {
  it('is the first that the browser prefers and that there is', () => {
    expect(languageOf(['zh-TW', 'en'])).toBe('zh')
    expect(languageOf(['de', 'en-GB', 'zh'])).toBe('en')
    expect(languageOf(['fr'])).toBe('en')
  })
})
