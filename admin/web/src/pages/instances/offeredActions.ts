import type { Capability, InstanceAction, InstanceDetail, Role } from '@/api/types'
import { includes } from '@/stores/roles'

export type OfferedAction = InstanceAction | 'pause' | 'limit' | 'cursor' | 'enable' | 'disable' | 'move' | 'delete'

/** Returns what can be done with an instance: its server can be asked for it, the role may, and its state allows it. */
export function offeredActions(
  detail: Pick<InstanceDetail, 'capabilities' | 'pauseAt'> & {
    summary: Pick<InstanceDetail['summary'], 'state' | 'paused' | 'managed' | 'enabled'>
    servers: Pick<InstanceDetail['servers'][number], 'state'>[]
  },
  role: Role,
): OfferedAction[] {
  const { state, paused, managed, enabled } = detail.summary
  const works = ['running', 'retrying', 'connecting', 'new'].includes(state)
  const can = (capability: Capability) => detail.capabilities.includes(capability)
  const offered: [OfferedAction, boolean][] = [
    // A server where it is stopped does not take it over from the one where it works. A start waits for a stop that is under way.
    ['start', can('start') && (!works || detail.servers.some((server) => server.state === 'stopped'))],
    ['resume', can('resume') && (paused || detail.pauseAt !== null)],
    ['pause', can('pause') && !paused],
    // A server takes an instance that is not here as soon as it can; a stop keeps it from that. One that is being stopped may be started again after
    // that, here or elsewhere: by a restart, a release or a change of its configuration.
    ['stop', can('stop') && (works || ['failed', 'stopping', 'not_here'].includes(state))],
    ['restart', can('restart')],
    ['release', can('release') && works],
    ['reload', can('reload')],
    ['limit', can('limit')],
    ['cursor', can('cursor') && includes(role, 'administrator')],
    ['enable', managed && !enabled],
    ['disable', managed && enabled],
    ['move', managed],
    ['delete', managed],
  ]
  return includes(role, 'operator') ? offered.filter(([, is]) => is).map(([action]) => action) : []
}
