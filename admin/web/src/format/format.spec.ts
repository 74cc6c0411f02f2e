import { describe, expect, it } from 'vitest'
import { bytes, count, duration, shortCount } from './numbers'
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
  ])('%s is %s', (value, text) => expect(duration(value)).toBe(text))
})

describe('counts', () => {
  it('are grouped and shortened as the language does', () => {
    expect(count(1234567, 'en')).toBe('1,234,567')
    expect(shortCount(12345, 'en')).toBe('12.3K')
    expect(shortCount(12345, 'zh')).toBe('1.23万')
    expect(shortCount(null, 'en')).toBe('–')
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

  it('that are missing or wrong are a dash', () => {
    expect(ago(null, now, 'en')).toBe('–')
    expect(time('never', 'en')).toBe('–')
  })
})
