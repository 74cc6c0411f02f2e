import { toValue, type MaybeRefOrGetter } from 'vue'
import { FLEET_EVENTS } from '@/api/fleet'
import type { Overview } from '@/api/types'
import { useLiveStream } from './useLiveStream'

export interface Changed {
  what: 'servers' | 'instances' | 'config' | 'users'
  id?: string | number | null
  /** What a configuration is of. */
  of?: 'instance' | 'server' | 'cluster' | null
}

/** The stream of the fleet: its overview every two seconds, and the changes that were made; for as long as it is wanted. */
export function useFleetEvents(
  handlers: {
    overview?: (overview: Overview) => void
    changed?: (changed: Changed) => void
    /** Events may have been missed: the stream was interrupted, or the page hidden. */
    resumed?: () => void
  },
  wanted: MaybeRefOrGetter<boolean> = true,
) {
  return useLiveStream(
    () => (toValue(wanted) ? FLEET_EVENTS : undefined),
    {
      overview: (data) => handlers.overview?.(data as Overview),
      changed: (data) => handlers.changed?.(data as Changed),
    },
    { silenceMs: 15_000, onResumed: handlers.resumed },
  )
}
