import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope } from 'vue'
import { debounced } from './debounced'
import { throttled } from './useResource'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Such as a search that is typed just before another page is opened, whose address it would change. */
describe.each([
  ['debounced', debounced],
  ['throttled', throttled],
])('a %s call', (_, limited) => {
  it('is made later', () => {
    const calls: string[] = []
    const call = effectScope().run(() => limited(1_000, () => calls.push('call')))!
    call()
    const before = calls.length
    call()

    vi.advanceTimersByTime(1_000)

    expect(calls).toHaveLength(before + 1)
  })

  it('is not made after its component was unmounted', () => {
    const calls: string[] = []
    const scope = effectScope()
    const call = scope.run(() => limited(1_000, () => calls.push('call')))!
    call()
    call()
    const before = calls.length

    scope.stop()
    vi.advanceTimersByTime(5_000)

    expect(calls).toHaveLength(before)
  })
})
