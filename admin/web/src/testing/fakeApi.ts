import type { Problem } from '@/api/types'

export interface Call {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

type Answer = object | string | null | undefined | ((call: Call, ...parts: string[]) => unknown)

/** An answer that is not 2xx. */
export class Refusal {
  constructor(
    readonly status: number,
    readonly problem: Partial<Problem> = {},
  ) {}
}

/**
 * The server of the pages, as far as a test needs it: answers calls by method and path, and records those that change something. A call
 * that it does not know is answered with 501, and recorded as unexpected.
 */
export class FakeApi {
  /** The calls other than GET, in their order. */
  readonly changes: Call[] = []
  readonly unexpected: string[] = []
  private readonly routes: { method: string; pattern: RegExp; answer: Answer }[] = []

  /** Sets what is answered; a path may have parts in braces. What was set last counts. */
  on(method: string, path: string, answer: Answer): this {
    this.routes.unshift({ method, pattern: new RegExp(`^/api/v2/${path.replace(/\{\w+\}/g, '([^/]+)')}$`), answer })
    return this
  }

  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const text = await request.text()
    const call: Call = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? undefined : JSON.parse(text),
    }
    if (call.method !== 'GET') {
      this.changes.push(call)
    }
    for (const { method, pattern, answer } of this.routes) {
      const match = method === call.method ? pattern.exec(call.path) : null
      if (match !== null) {
        const parts = match.slice(1).map(decodeURIComponent)
        return response(typeof answer === 'function' ? await answer(call, ...parts) : answer)
      }
    }
    this.unexpected.push(`${call.method} ${call.path}`)
    return response(new Refusal(501, { title: 'not faked' }))
  }
}

function response(answer: unknown): Response {
  if (answer instanceof Refusal) {
    return new Response(JSON.stringify({ status: answer.status, ...answer.problem }), {
      status: answer.status,
      headers: { 'Content-Type': 'application/problem+json' },
    })
  }
  return answer === undefined
    ? new Response(null, { status: 204 })
    : new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } })
}

/** An answer that a test gives later. */
export function held<T>() {
  let resolve!: (answer: T) => void
  const promise = new Promise<T>((done) => (resolve = done))
  return { promise, resolve }
}

/** A stream of events that a test sends by hand. */
export class FakeEventSource {
  static open: FakeEventSource[] = []
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  private readonly listeners = new Map<string, (event: { data: string }) => void>()

  constructor(readonly url: string) {
    FakeEventSource.open.push(this)
  }

  addEventListener(type: string, listener: (event: { data: string }) => void): void {
    this.listeners.set(type, listener)
  }

  close(): void {
    FakeEventSource.open = FakeEventSource.open.filter((each) => each !== this)
  }

  /** Interrupts the stream, as a server does that ends it. */
  static lose(url: string): void {
    FakeEventSource.open.filter((each) => each.url === url).forEach((each) => each.onerror?.())
  }

  /** Sends an event to the page that has this stream open. */
  static send(url: string, type: string, data: unknown): void {
    const streams = FakeEventSource.open.filter((each) => each.url === url)
    if (streams.length === 0) {
      throw new Error(`no page listens to ${url}`)
    }
    streams.forEach((each) => each.listeners.get(type)?.({ data: JSON.stringify(data) }))
  }
}

let current = new FakeApi()

/** Returns a new server, which answers all calls from now on. */
export function newFakeApi(): FakeApi {
  current = new FakeApi()
  FakeEventSource.open = []
  return current
}

// The client takes the function when it is loaded, so this comes before it.
globalThis.fetch = (input, init) => current.fetch(input instanceof Request ? input : new Request(input, init))
globalThis.EventSource = FakeEventSource as unknown as typeof EventSource
