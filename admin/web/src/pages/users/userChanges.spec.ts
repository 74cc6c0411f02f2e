import { describe, expect, it } from 'vitest'
import type { User } from '@/api/types'
import { userChanges } from './userChanges'

const olga: User = {
  name: 'olga',
  displayName: 'Olga',
  role: 'operator',
  source: 'local',
  disabled: false,
  mustChangePassword: false,
  created: null,
  lastLogin: null,
}

describe('the changes of a user', () => {
  it('are what was edited only', () => {
    expect(userChanges(olga, { displayName: 'Olga O.', role: 'operator' })).toEqual({ displayName: 'Olga O.' })
    expect(userChanges(olga, { displayName: 'Olga', role: 'viewer' })).toEqual({ role: 'viewer' })
    expect(userChanges(olga, { displayName: 'Olga', role: 'operator' })).toEqual({})
  })
})
