import type { InstanceState, InstanceSummary, ServerState, Stage } from '@/api/types'

/** What a state means for an operator; each tone has a colour and a sign. */
export type Tone = 'ok' | 'warning' | 'error' | 'busy' | 'paused' | 'neutral' | 'info'

const INSTANCE: Record<InstanceState, Tone> = {
  new: 'busy',
  connecting: 'busy',
  running: 'ok',
  retrying: 'warning',
  failed: 'error',
  stopping: 'busy',
  stopped: 'neutral',
  not_here: 'neutral',
  invalid: 'error',
  pending: 'busy',
  not_ended: 'error',
  disabled: 'neutral',
  unknown: 'warning',
}

const SERVER: Record<ServerState, Tone> = {
  running: 'ok',
  stopped: 'neutral',
  unreachable: 'error',
  unauthorized: 'error',
  connecting: 'busy',
}

const STAGE: Record<Stage['state'], Tone> = {
  ok: 'ok',
  waiting: 'neutral',
  full: 'warning',
  failed: 'error',
  paused: 'paused',
  stalled: 'error',
  unknown: 'neutral',
}

export function instanceTone(instance: Pick<InstanceSummary, 'state' | 'paused' | 'healthy'>): Tone {
  const tone = INSTANCE[instance.state] ?? 'neutral'
  if (tone === 'ok') {
    return instance.paused ? 'paused' : instance.healthy ? 'ok' : 'warning'
  }
  return tone
}

export function serverTone(state: ServerState): Tone {
  return SERVER[state] ?? 'neutral'
}

export function stageTone(state: Stage['state']): Tone {
  return STAGE[state] ?? 'neutral'
}
