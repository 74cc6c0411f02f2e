import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LONGEST_DELAY_MS, LiveStream, type StreamSource, type StreamStatus } from './LiveStream'

/** A stream that a test opens, breaks and sends on by hand. */
class HandSource implements StreamSource {
  static opened: HandSource[] = []
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  closed = false
  private readonly listeners = new Map<string, (event: MessageEvent<string>) => void>()

  constructor() {
    HandSource.opened.push(this)
  }

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.listeners.set(type, listener)
  }

  close(): void {
    this.closed = true
  }

  send(type: string, data: unknown): void {
    this.listeners.get(type)?.({ data: JSON.stringify(data) } as MessageEvent<string>)
  }

  break(): void {
    this.onerror?.()
  }
}

const newest = () => HandSource.opened.at(-1)!
let received: unknown[]
let statuses: StreamStatus[]

function stream(more: { silenceMs?: number; onBroken?: () => void } = {}) {
  return new LiveStream({
    url: '/events',
    on: { overview: (data) => received.push(data) },
    onStatus: (status) => statuses.push(status),
    open: () => new HandSource(),
    random: () => 1,
    ...more,
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  HandSource.opened = []
  received = []
  statuses = []
})
afterEach(() => vi.useRealTimers())

describe('a live stream', () => {
  it('hands on the data of events', () => {
    stream().start()
    newest().send('overview', { rows: 1 })
    expect(received).toEqual([{ rows: 1 }])
    expect(statuses).toEqual(['connecting', 'live'])
  })

  it('reconnects after a break, with a delay that doubles up to its limit', () => {
    stream().start()
    const delays = []
    for (let i = 0; i < 8; i++) {
      const opened = HandSource.opened.length
      newest().break()
      let waited = 0
      while (HandSource.opened.length === opened) {
        vi.advanceTimersByTime(1000)
        waited += 1000
      }
      delays.push(waited)
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000, LONGEST_DELAY_MS])
    expect(HandSource.opened.filter(({ closed }) => !closed)).toHaveLength(1)
  })

  it('begins with the shortest delay again after an event', () => {
    stream().start()
    for (let i = 0; i < 4; i++) {
      newest().break()
      vi.advanceTimersByTime(LONGEST_DELAY_MS)
    }
    newest().send('overview', {})
    const opened = HandSource.opened.length
    newest().break()
    vi.advanceTimersByTime(1000)
    expect(HandSource.opened).toHaveLength(opened + 1)
  })

  it('does not count an open stream that sends nothing as success', () => {
    stream().start()
    newest().onopen?.()
    newest().break()
    vi.advanceTimersByTime(1000)
    newest().onopen?.()
    newest().break()
    vi.advanceTimersByTime(1000)
    expect(HandSource.opened).toHaveLength(2)
  })

  it('takes silence for a loss, if told so', () => {
    stream({ silenceMs: 5000 }).start()
    newest().send('overview', {})
    vi.advanceTimersByTime(4999)
    expect(statuses.at(-1)).toBe('live')
    vi.advanceTimersByTime(1)
    expect(statuses.at(-1)).toBe('lost')
    expect(newest().closed).toBe(true)
  })

  it('says so when it breaks', () => {
    const onBroken = vi.fn()
    stream({ onBroken }).start()
    newest().break()
    expect(onBroken).toHaveBeenCalledOnce()
  })

  it('stays closed when it was stopped, even while it waits', () => {
    const stopped = stream()
    stopped.start()
    newest().break()
    stopped.stop()
    vi.advanceTimersByTime(LONGEST_DELAY_MS * 2)
    expect(HandSource.opened).toHaveLength(1)
    expect(statuses.at(-1)).toBe('closed')
  })

  it('ignores events of a source that it has left', () => {
    const one = stream()
    one.start()
    const old = newest()
    one.stop()
    old.send('overview', { late: true })
    expect(received).toEqual([])
  })

  it('can be started again', () => {
    const one = stream()
    one.start()
    one.stop()
    one.start()
    one.start()
    expect(HandSource.opened).toHaveLength(2)
  })
})
