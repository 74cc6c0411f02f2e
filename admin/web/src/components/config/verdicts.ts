import type { ConnectVerdict } from '@/api/types'
import type { Tone } from '@/components/tones'

/** What was found out about one server. */
export interface Target {
  name: string
  verdicts: ConnectVerdict[]
}

const TONE: Record<ConnectVerdict['verdict'], Tone> = {
  ok: 'ok',
  warning: 'warning',
  failed: 'error',
  unknown: 'neutral',
}

/** The sign of a verdict. */
export function verdictTone(verdict: ConnectVerdict['verdict']): Tone {
  return TONE[verdict] ?? 'neutral'
}

/** Puts the verdicts on each server together, in the order in which the servers come. */
export function byTarget(verdicts: ConnectVerdict[]): Target[] {
  const targets = new Map<string, ConnectVerdict[]>()
  for (const verdict of verdicts) {
    targets.set(verdict.target, [...(targets.get(verdict.target) ?? []), verdict])
  }
  return [...targets].map(([name, found]) => ({ name, verdicts: found }))
}

/** What all of it comes to: the worst of the verdicts. */
export function overall(verdicts: ConnectVerdict[]): ConnectVerdict['verdict'] {
  const worst = (['failed', 'unknown', 'warning'] as const).find((each) =>
    verdicts.some(({ verdict }) => verdict === each),
  )
  return worst ?? 'ok'
}
