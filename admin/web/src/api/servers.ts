import { body, client } from './client'
import type { ConfigInput, ServerAction, ServerChange, ServerInput, ServerQuery } from './types'

const of = (id: number) => ({ path: { id } })

export const servers = (query: ServerQuery) => body(client.GET('/api/v2/servers', { params: { query } }))
export const server = (id: number) => body(client.GET('/api/v2/servers/{id}', { params: of(id) }))
export const createServer = (input: ServerInput) => body(client.POST('/api/v2/servers', { body: input }))
/** Changes the given fields of a server; all others stay. */
export const changeServer = (id: number, change: ServerChange) =>
  body(client.PATCH('/api/v2/servers/{id}', { params: of(id), body: change }))
export const deleteServer = (id: number) => body(client.DELETE('/api/v2/servers/{id}', { params: of(id) }))
/** Tries to reach a server; with an id, its stored token is used if none is given. */
export const testServer = (input: ServerInput, id?: number) =>
  body(client.POST('/api/v2/servers/test', { params: { query: { id } }, body: input }))
export const serverAction = (id: number, action: ServerAction) =>
  body(client.POST('/api/v2/servers/{id}/{action}', { params: { path: { id, action } } }))
export const serverLog = (id: number, query: { lines: number; file?: string }) =>
  body(client.GET('/api/v2/servers/{id}/log', { params: { ...of(id), query } }))

export const serverConfig = (id: number) => body(client.GET('/api/v2/servers/{id}/config', { params: of(id) }))
export const saveServerConfig = (id: number, input: ConfigInput) =>
  body(client.PUT('/api/v2/servers/{id}/config', { params: of(id), body: input }))
export const serverConfigHistory = (id: number) =>
  body(client.GET('/api/v2/servers/{id}/config/history', { params: of(id) }))
export const serverConfigVersion = (id: number, version: number) =>
  body(client.GET('/api/v2/servers/{id}/config/history/{version}', { params: { path: { id, version } } }))
