import { body, client } from './client'
import type { CheckInput, ConnectInput, RouteInput, TemplateInput } from './types'

export const configKeys = () => body(client.GET('/api/v2/config/keys'))
export const checkConfig = (input: CheckInput) => body(client.POST('/api/v2/config/check', { body: input }))
export const route = (input: RouteInput) => body(client.POST('/api/v2/config/route', { body: input }))
export const connect = (input: ConnectInput) => body(client.POST('/api/v2/config/connect', { body: input }))
export const sourceTables = (input: ConnectInput) => body(client.POST('/api/v2/config/tables', { body: input }))

export const templates = () => body(client.GET('/api/v2/templates'))
export const saveTemplate = (template: TemplateInput) =>
  body(client.PUT('/api/v2/templates/{template}', { params: { path: { template: template.name } }, body: template }))
export const deleteTemplate = (template: string) =>
  body(client.DELETE('/api/v2/templates/{template}', { params: { path: { template } } }))
