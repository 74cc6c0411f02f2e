import { describe, expect, it, vi } from 'vitest'
import { cookieValue } from './api/cookies'
import { flowSeconds } from './components/flow'
import { logLevel } from './components/logLevel'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { safeTarget } = await import('./router')

describe('the page after the login', () => {
  it('is one of this server only', () => {
    expect(safeTarget('/instances/a?x=1')).toBe('/instances/a?x=1')
    expect(safeTarget('//evil.example')).toBe('/')
    expect(safeTarget('/\\evil.example')).toBe('/')
    expect(safeTarget('https://evil.example')).toBe('/')
    expect(safeTarget(undefined)).toBe('/')
    expect(safeTarget('/login?from=/')).toBe('/')
  })
})

describe('small decisions', () => {
  it('read a cookie by its whole name', () => {
    expect(cookieValue('XXSRF-TOKEN=a; XSRF-TOKEN=b%3D=c', 'XSRF-TOKEN')).toBe('b==c')
    expect(cookieValue('', 'XSRF-TOKEN')).toBeUndefined()
  })

  it('see the level of a log line', () => {
    expect(logLevel('2026-01-01 ERROR [x] failed')).toBe('error')
    expect(logLevel('2026-01-01 WARN  [x] retry')).toBe('warning')
    expect(logLevel('2026-01-01 INFO no ERRORS')).toBeUndefined()
  })

  it('let the picture flow faster with the rate, and stand still without', () => {
    expect(flowSeconds(0)).toBeUndefined()
    expect(flowSeconds(null)).toBeUndefined()
    expect(flowSeconds(100_000)!).toBeLessThan(flowSeconds(10)!)
  })
})
