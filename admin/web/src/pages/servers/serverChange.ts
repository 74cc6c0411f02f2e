import type { ServerInput } from '@/api/types'

/**
 * Returns a change of a server which leaves it in its cluster if that was not edited, since it may have been moved elsewhere meanwhile.
 *
 * @param cluster where the server was when the edit began; null: standalone
 */
export function serverChange(edited: ServerInput, cluster: number | null): ServerInput {
  return edited.clusterId === cluster ? { ...edited, keepCluster: true } : edited
}
