import { describe, expect, it } from 'vitest'
import { repairLanguage } from './browserLanguage'
import { bytes, count, duration, perSecond, shortCount } from './numbers'
import { ago, time } from './time'

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [10 * 1024 * 1024, '10 MiB'],
    [1024 ** 5 * 2, '2 PiB'],
    [1024 ** 6 * 3, '3072 PiB'],
    [null, '–'],
  ])('%s is %s', (value, text) => expect(bytes(value)).toBe(text))
})

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [59.4, '59 s'],
    [60, '1 min'],
    [3661, '1 h 1 min'],
    [90_000, '1 d 1 h'],
    [86_400, '1 d'],
    [-3, '0 s'],
    [undefined, '–'],
  ])('%s is %s', (value, text) => expect(duration(value, 'en')).toBe(text))

  it.each([
    [7, '7 秒'],
    [319, '5 分钟 19 秒'],
    [90_000, '1 天 1 小时'],
    [null, '–'],
  ])('%s is %s in Chinese', (value, text) => expect(duration(value, 'zh')).toBe(text))
})

describe('counts', () => {
  it('are grouped and shortened as the language does', () => {
    expect(count(1234567, 'en')).toBe('1,234,567')
    expect(shortCount(12345, 'en')).toBe('12.3K')
    expect(shortCount(12345, 'zh')).toBe('1.23万')
    expect(shortCount(null, 'en')).toBe('–')
  })

  it('are exact below 10,000, so that a full store of 8,192 entries shows 8,192', () => {
    expect(shortCount(8192, 'en')).toBe('8,192')
    expect(shortCount(8192, 'zh')).toBe('8,192')
    expect(shortCount(0, 'en')).toBe('0')
  })
})

describe('rates', () => {
  it('that are not known are a dash', () => {
    expect(perSecond(bytes(1536))).toBe('1.5 KiB/s')
    expect(perSecond(bytes(null))).toBe('–')
  })
})

describe('times', () => {
  const now = Date.parse('2026-03-01T10:00:00Z')

  it('are told as how long ago', () => {
    expect(ago('2026-03-01T09:58:00Z', now, 'en')).toBe('2 minutes ago')
    expect(ago('2026-03-01T09:59:57Z', now, 'zh')).toBe('3秒钟前')
    expect(ago('2026-02-27T09:00:00Z', now, 'en')).toBe('2 days ago')
    expect(ago('2026-03-01T10:00:01Z', now, 'en')).toBe('now')
  })

  it('have 24 hours and their time zone', () => {
    expect(time('2026-03-01T21:05:07Z', 'en', 'Asia/Shanghai')).toBe('Mar 2, 2026, 05:05:07 GMT+8')
    expect(time('2026-03-01T21:05:07Z', 'en', 'UTC')).toBe('Mar 1, 2026, 21:05:07 UTC')
    expect(time('2026-03-01T21:05:07Z', 'zh', 'Asia/Shanghai')).toMatch(/^2026年3月2日.*05:05:07/)
    expect(time('2026-03-01T21:05:07Z', 'zh', 'Asia/Shanghai')).toContain('GMT+8')
  })

  it('that are missing or wrong are a dash', () => {
    expect(ago(null, now, 'en')).toBe('–')
    expect(time('never', 'en')).toBe('–')
  })
})

describe('the language of the browser', () => {
  it('is replaced if it is no language tag', () => {
    const languageOf = (language: string) => {
      const browser = Object.create({ language }) as { language: string } // as a browser has it: not its own property
      repairLanguage(browser)
      return browser.language
    }
    expect(languageOf('en-US@posix')).toBe('en')
    expect(languageOf('zh-CN')).toBe('zh-CN')
  })
})
