import { onBeforeUnmount, onMounted, readonly, ref, toValue, watch, type MaybeRefOrGetter } from 'vue'
import { session } from '@/api/session'
import { LiveStream, type StreamStatus } from './LiveStream'

/**
 * A stream for as long as a component is mounted: closed while the page is hidden, and when the address is undefined.
 *
 * `lostSince` is the time of the first failure in a row, for pages to say how old their data is. `onResumed` is called when events arrive after
 * a time without a stream: what was sent meanwhile is not sent again.
 */
export function useLiveStream(
  url: MaybeRefOrGetter<string | undefined>,
  on: Record<string, (data: unknown) => void>,
  options: { silenceMs?: number; onResumed?: () => void } = {},
) {
  const status = ref<StreamStatus>('connecting')
  const lostSince = ref<Date>()
  let stream: LiveStream | undefined
  let interrupted = false

  function show(next: StreamStatus) {
    status.value = next
    if (next === 'lost') {
      lostSince.value ??= new Date()
      interrupted = true
    } else if (next === 'closed') {
      interrupted = true
    } else if (next === 'live') {
      lostSince.value = undefined
      if (interrupted) {
        interrupted = false
        options.onResumed?.()
      }
    }
  }

  function restart() {
    stream?.stop()
    stream = undefined
    const address = toValue(url)
    if (address !== undefined && !document.hidden) {
      // A refused stream does not say why; the session's call leads to the login page if it has ended.
      const onBroken = () => void session().catch(() => undefined)
      stream = new LiveStream({ url: address, on, onStatus: show, onBroken, silenceMs: options.silenceMs })
      stream.start()
    } else {
      interrupted = true
    }
  }

  onMounted(() => {
    document.addEventListener('visibilitychange', restart)
    restart()
  })
  watch(
    () => toValue(url),
    () => {
      lostSince.value = undefined
      restart()
    },
  )
  onBeforeUnmount(() => {
    document.removeEventListener('visibilitychange', restart)
    stream?.stop()
  })

  return { status: readonly(status), lostSince: readonly(lostSince) }
}
