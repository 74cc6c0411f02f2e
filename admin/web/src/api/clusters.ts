import { body, client } from './client'
import type { ClusterChange, ClusterInput, ConfigInput } from './types'

const of = (id: number) => ({ path: { id } })

export const clusters = () => body(client.GET('/api/v2/clusters'))
export const cluster = (id: number) => body(client.GET('/api/v2/clusters/{id}', { params: of(id) }))
export const createCluster = (input: ClusterInput) => body(client.POST('/api/v2/clusters', { body: input }))
/** Changes the given fields of a cluster; all others stay. */
export const changeCluster = (id: number, change: ClusterChange) =>
  body(client.PATCH('/api/v2/clusters/{id}', { params: of(id), body: change }))
export const deleteCluster = (id: number) => body(client.DELETE('/api/v2/clusters/{id}', { params: of(id) }))

export const clusterConfig = (id: number) => body(client.GET('/api/v2/clusters/{id}/config', { params: of(id) }))
export const saveClusterConfig = (id: number, input: ConfigInput) =>
  body(client.PUT('/api/v2/clusters/{id}/config', { params: of(id), body: input }))
export const clusterConfigHistory = (id: number) =>
  body(client.GET('/api/v2/clusters/{id}/config/history', { params: of(id) }))
export const clusterConfigVersion = (id: number, version: number) =>
  body(client.GET('/api/v2/clusters/{id}/config/history/{version}', { params: { path: { id, version } } }))
