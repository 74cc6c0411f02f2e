import { toValue, type MaybeRefOrGetter } from 'vue'
import { instanceEvents } from '@/api/instances'
import type { InstanceDetail } from '@/api/types'
import { useLiveStream } from './useLiveStream'

/** The stream of an instance: its state every two seconds; for as long as there is a name. `onResumed`: states may have been missed. */
export function useInstanceEvents(
  name: MaybeRefOrGetter<string | undefined>,
  show: (detail: InstanceDetail) => void,
  onResumed?: () => void,
) {
  return useLiveStream(
    () => {
      const instance = toValue(name)
      return instance === undefined ? undefined : instanceEvents(instance)
    },
    { instance: (data) => show(data as InstanceDetail) },
    { silenceMs: 15_000, onResumed },
  )
}
