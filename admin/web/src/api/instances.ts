import { body, client } from './client'
import type {
  ConfigInput,
  CursorInput,
  InstanceAction,
  InstanceInput,
  InstanceQuery,
  LimitsInput,
  NewInstance,
  PauseInput,
} from './types'

const of = (name: string) => ({ path: { name } })

export const instances = (query: InstanceQuery) => body(client.GET('/api/v2/instances', { params: { query } }))
export const instance = (name: string) => body(client.GET('/api/v2/instances/{name}', { params: of(name) }))
export const createInstance = (input: NewInstance) => body(client.POST('/api/v2/instances', { body: input }))
export const updateInstance = (name: string, input: InstanceInput) =>
  body(client.PUT('/api/v2/instances/{name}', { params: of(name), body: input }))
export const deleteInstance = (name: string) => body(client.DELETE('/api/v2/instances/{name}', { params: of(name) }))

export const instanceErrors = (name: string) =>
  body(client.GET('/api/v2/instances/{name}/errors', { params: of(name) }))
export const instanceTables = (name: string) =>
  body(client.GET('/api/v2/instances/{name}/tables', { params: of(name) }))
export const instanceLog = (name: string, query: { lines: number; file?: string }) =>
  body(client.GET('/api/v2/instances/{name}/log', { params: { ...of(name), query } }))

export const instanceAction = (name: string, action: InstanceAction) =>
  body(client.POST('/api/v2/instances/{name}/actions/{action}', { params: { path: { name, action } } }))
export const pauseInstance = (name: string, input: PauseInput) =>
  body(client.POST('/api/v2/instances/{name}/pause', { params: of(name), body: input }))
export const limitInstance = (name: string, input: LimitsInput) =>
  body(client.PUT('/api/v2/instances/{name}/limits', { params: of(name), body: input }))
export const cursor = (name: string) => body(client.GET('/api/v2/instances/{name}/cursor', { params: of(name) }))
export const moveCursor = (name: string, input: CursorInput) =>
  body(client.POST('/api/v2/instances/{name}/cursor', { params: of(name), body: input }))

export const instanceConfig = (name: string) =>
  body(client.GET('/api/v2/instances/{name}/config', { params: of(name) }))
export const saveInstanceConfig = (name: string, input: ConfigInput) =>
  body(client.PUT('/api/v2/instances/{name}/config', { params: of(name), body: input }))
export const instanceConfigHistory = (name: string) =>
  body(client.GET('/api/v2/instances/{name}/config/history', { params: of(name) }))
export const instanceConfigVersion = (name: string, version: number) =>
  body(client.GET('/api/v2/instances/{name}/config/history/{version}', { params: { path: { name, version } } }))

/** The stream of an instance: its detail, each second. */
export const instanceEvents = (name: string) => `/api/v2/instances/${encodeURIComponent(name)}/events`

/** The stream of sampled changes of an instance. */
export function changeEvents(name: string, options: { table?: string; values: 'masked' | 'shown' }): string {
  const query = new URLSearchParams({ values: options.values })
  if (options.table) {
    query.set('table', options.table)
  }
  return `/api/v2/instances/${encodeURIComponent(name)}/changes?${query}`
}
