import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRenderer, type App, type Ref } from 'vue'
import type { StreamStatus } from './LiveStream'
import { useFleetEvents } from './useFleetEvents'
import { useInstanceEvents } from './useInstanceEvents'

// The client of the API asks the window where it is; sessions do not end here.
vi.mock('@/api/client', () => ({ client: {} }))
vi.mock('@/api/session', () => ({ session: () => Promise.resolve() }))

/** A browser's stream that a test sends on by hand. */
class HandEventSource {
  static opened: HandEventSource[] = []
  private readonly listeners = new Map<string, (event: { data: string }) => void>()

  constructor(readonly url: string) {
    HandEventSource.opened.push(this)
  }

  addEventListener(type: string, listener: (event: { data: string }) => void): void {
    this.listeners.set(type, listener)
  }

  close(): void {
    this.listeners.clear()
  }

  send(type: string): void {
    this.listeners.get(type)?.({ data: '{}' })
  }
}

/** Mounts components that show nothing. */
const { createApp } = createRenderer<object, object>({
  createComment: () => ({}),
  createElement: () => ({}),
  createText: () => ({}),
  insert: () => undefined,
  nextSibling: () => null,
  parentNode: () => null,
  patchProp: () => undefined,
  remove: () => undefined,
  setElementText: () => undefined,
  setText: () => undefined,
})
let app: App<object>

function mounted(events: () => { status: Readonly<Ref<StreamStatus>>; lostSince: Readonly<Ref<Date | undefined>> }) {
  let result!: ReturnType<typeof events>
  app = createApp({
    setup() {
      result = events()
      return () => null
    },
  })
  app.mount({})
  return result
}

beforeEach(() => {
  vi.useFakeTimers()
  HandEventSource.opened = []
  vi.stubGlobal('EventSource', HandEventSource)
  vi.stubGlobal('document', { hidden: false, addEventListener: () => undefined, removeEventListener: () => undefined })
})
afterEach(() => {
  app.unmount()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the stream of the fleet', () => {
  it('reports that events may have been missed: after an interruption, and while the page was hidden', () => {
    const page = { hidden: false, addEventListener: vi.fn(), removeEventListener: () => undefined }
    vi.stubGlobal('document', page)
    const resumed = vi.fn()
    mounted(() => useFleetEvents({ resumed }))
    HandEventSource.opened[0]!.send('overview')
    HandEventSource.opened[0]!.send('overview')
    expect(resumed).not.toHaveBeenCalled()

    vi.advanceTimersByTime(16_000)
    HandEventSource.opened[1]!.send('overview')
    HandEventSource.opened[1]!.send('overview')
    expect(resumed).toHaveBeenCalledTimes(1)

    const onVisibility = page.addEventListener.mock.calls[0]![1] as () => void
    page.hidden = true
    onVisibility()
    page.hidden = false
    onVisibility()
    HandEventSource.opened[2]!.send('overview')
    expect(resumed).toHaveBeenCalledTimes(2)
  })
})

/** The server sends states every two seconds, so a page whose stream is silent shows what was. */
describe.each([
  ['of the fleet', 'overview', () => useFleetEvents({})],
  ['of an instance', 'instance', () => useInstanceEvents('shop', () => undefined)],
] as const)('the stream %s', (_, event, use) => {
  it('is lost when it is silent, and opened again', () => {
    const { status, lostSince } = mounted(use)
    HandEventSource.opened[0]!.send(event)
    vi.advanceTimersByTime(14_000)
    HandEventSource.opened[0]!.send(event)
    vi.advanceTimersByTime(14_000)
    expect(status.value).toBe('live')
    expect(lostSince.value).toBeUndefined()

    vi.advanceTimersByTime(1_000)
    expect(status.value).toBe('lost')
    expect(lostSince.value).toEqual(new Date())
    vi.advanceTimersByTime(1_000)
    HandEventSource.opened[1]!.send(event)
    expect(status.value).toBe('live')
    expect(lostSince.value).toBeUndefined()
  })
})
