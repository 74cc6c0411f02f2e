import { FLEET_EVENTS } from '@/api/fleet'
import type { Overview } from '@/api/types'
import { useLiveStream } from './useLiveStream'

export interface Changed {
  what: 'servers' | 'instances' | 'config' | 'users'
  id?: string | number | null
}

/** The stream of the fleet: its overview every two seconds, and the changes that were made. */
export function useFleetEvents(handlers: {
  overview?: (overview: Overview) => void
  changed?: (changed: Changed) => void
}) {
  return useLiveStream(
    FLEET_EVENTS,
    {
      overview: (data) => handlers.overview?.(data as Overview),
      changed: (data) => handlers.changed?.(data as Changed),
    },
    { silenceMs: 15_000 },
  )
}
