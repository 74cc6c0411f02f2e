import { body, client } from './client'

export const loginOptions = () => body(client.GET('/api/v2/login-options'))
export const login = (name: string, password: string) =>
  body(client.POST('/api/v2/session', { body: { name, password } }))
export const session = () => body(client.GET('/api/v2/session'))
export const logout = () => body(client.DELETE('/api/v2/session'))
export const changePassword = (oldPassword: string, newPassword: string) =>
  body(client.PUT('/api/v2/session/password', { body: { oldPassword, newPassword } }))
export const ownSessions = () => body(client.GET('/api/v2/session/all'))
export const endOwnSession = (id: string) =>
  body(client.DELETE('/api/v2/session/all/{id}', { params: { path: { id } } }))
