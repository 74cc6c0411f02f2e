import { body, client } from './client'
import type { AuditQuery, NewUser, UserInput } from './types'

const of = (user: string) => ({ path: { user } })

export const users = () => body(client.GET('/api/v2/users'))
export const createUser = (input: NewUser) => body(client.POST('/api/v2/users', { body: input }))
export const updateUser = (user: string, input: UserInput) =>
  body(client.PUT('/api/v2/users/{user}', { params: of(user), body: input }))
export const deleteUser = (user: string) => body(client.DELETE('/api/v2/users/{user}', { params: of(user) }))
export const resetPassword = (user: string) => body(client.POST('/api/v2/users/{user}/password', { params: of(user) }))
export const userSessions = (user: string) => body(client.GET('/api/v2/users/{user}/sessions', { params: of(user) }))
export const endUserSessions = (user: string) =>
  body(client.DELETE('/api/v2/users/{user}/sessions', { params: of(user) }))

export const audit = (query: AuditQuery) => body(client.GET('/api/v2/audit', { params: { query } }))
