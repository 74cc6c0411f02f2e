/** live: events arrive; connecting: the first try; lost: there was no answer, the next try is planned; closed: on purpose. */
export type StreamStatus = 'connecting' | 'live' | 'lost' | 'closed'

export interface StreamSource {
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void
  close(): void
  onopen: (() => void) | null
  onerror: (() => void) | null
}

export interface LiveStreamOptions {
  url: string
  /** What is called with the data of each event, by its type. */
  on: Record<string, (data: unknown) => void>
  onStatus: (status: StreamStatus) => void
  /** Called when the server refused the stream or broke it, e.g. to find out whether the session has ended. */
  onBroken?: () => void
  /** A stream that is silent for longer counts as lost; not given: silence is normal. */
  silenceMs?: number
  open?: (url: string) => StreamSource
  /** From 0 to 1. */
  random?: () => number
}

export const FIRST_DELAY_MS = 1_000
export const LONGEST_DELAY_MS = 30_000

/**
 * A stream of server-sent events that reconnects with a back-off.
 *
 * The browser's own reconnection is not used: it tries at a fixed rate, and not at all after an answer like 502. Here the
 * delay doubles up to 30 seconds, with jitter, so that many open pages do not return at once after a restart of the server.
 */
export class LiveStream {
  private readonly options: LiveStreamOptions
  private source: StreamSource | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private silence: ReturnType<typeof setTimeout> | undefined
  private failures = 0

  constructor(options: LiveStreamOptions) {
    this.options = options
  }

  /** Opens the stream; does nothing if it is open. */
  start(): void {
    if (this.source === undefined && this.timer === undefined) {
      this.failures = 0
      this.options.onStatus('connecting')
      this.connect()
    }
  }

  /** Closes the stream; it can be started again. */
  stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.drop()
    this.options.onStatus('closed')
  }

  private connect(): void {
    const open = this.options.open ?? ((url: string) => new EventSource(url) as unknown as StreamSource)
    const source = open(this.options.url)
    this.source = source
    source.onopen = () => this.listen()
    source.onerror = () => this.lose()
    for (const [type, handle] of Object.entries(this.options.on)) {
      source.addEventListener(type, (event) => {
        if (this.source === source) {
          this.received(event.data, handle)
        }
      })
    }
    this.listen()
  }

  private received(text: string, handle: (data: unknown) => void): void {
    this.failures = 0
    this.options.onStatus('live')
    this.listen()
    let data: unknown
    try {
      data = text ? JSON.parse(text) : undefined
    } catch {
      data = text
    }
    handle(data)
  }

  private listen(): void {
    clearTimeout(this.silence)
    if (this.options.silenceMs !== undefined) {
      this.silence = setTimeout(() => this.lose(), this.options.silenceMs)
    }
  }

  private lose(): void {
    this.drop()
    this.options.onStatus('lost')
    this.options.onBroken?.()
    const delay = Math.min(FIRST_DELAY_MS * 2 ** this.failures, LONGEST_DELAY_MS)
    const jitter = 0.5 + 0.5 * (this.options.random ?? Math.random)()
    this.failures++
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.connect()
    }, delay * jitter)
  }

  private drop(): void {
    clearTimeout(this.silence)
    const source = this.source
    this.source = undefined
    if (source !== undefined) {
      source.onopen = null
      source.onerror = null
      source.close()
    }
  }
}
