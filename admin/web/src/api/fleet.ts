import { body, client } from './client'

export const overview = () => body(client.GET('/api/v2/overview'))
/** Rates and lag of the last 15 minutes: of all, of an instance, or of a server. */
export const history = (of: { instance?: string; server?: number } = {}) =>
  body(client.GET('/api/v2/history', { params: { query: of } }))
export const FLEET_EVENTS = '/api/v2/events'
