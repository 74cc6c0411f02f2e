/** To what an instance belongs: a cluster, or a server that is in none. */
export interface Owner {
  clusterId: number | null
  serverId: number | null
}
