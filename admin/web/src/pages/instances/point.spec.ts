import { describe, expect, it } from 'vitest'
import { i18n } from '@/i18n'
import { NOW, pauseNotice, pointReady, pointValue } from './point'

describe('a point of the binlog', () => {
  it('is complete when its kind has a value', () => {
    expect(pointReady({ ...NOW })).toBe(true)
    expect(pointReady({ ...NOW, kind: 'position', position: 'mysql-bin.000007:157' })).toBe(true)
    expect(pointReady({ ...NOW, kind: 'position', position: 'oldest' })).toBe(true)
    expect(pointReady({ ...NOW, kind: 'position', position: 'mysql-bin.000007' })).toBe(false)
    expect(pointReady({ ...NOW, kind: 'gtid', gtid: ' ' })).toBe(false)
    expect(pointReady({ ...NOW, kind: 'time', time: '' })).toBe(false)
  })

  it('is named after a pause that has yet to come', () => {
    const notice = (more: object) => pauseNotice(i18n.global.t, 'shop', { ...NOW, ...more })
    expect(notice({})).toBe('shop is paused')
    expect(notice({ kind: 'position', position: ' mysql-bin.000007:157 ' })).toBe(
      'shop will pause at mysql-bin.000007:157',
    )
    expect(notice({ kind: 'gtid', gtid: 'a:1-5, b:7' })).toBe('shop will pause at a:1-5,b:7')
    expect(notice({ kind: 'time', time: '2026-03-01T10:00' })).toBe('shop will pause at 2026-03-01 10:00')
    i18n.global.locale.value = 'zh'
    expect(notice({ kind: 'time', time: '2026-03-01T10:00' })).toBe('shop 将在 2026-03-01 10:00 处暂停')
    i18n.global.locale.value = 'en'
  })

  it('is one of the values of the API', () => {
    expect(pointValue({ ...NOW })).toEqual({})
    expect(pointValue({ ...NOW, kind: 'gtid', gtid: 'a:1-5,\n b:7' })).toEqual({ gtid: 'a:1-5,b:7' })
    const { time } = pointValue({ ...NOW, kind: 'time', time: '2026-03-01T10:00:00' })
    expect(Date.parse(time!)).toBe(new Date('2026-03-01T10:00:00').getTime())
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })
})
