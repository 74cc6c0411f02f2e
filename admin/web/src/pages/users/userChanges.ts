import type { User, UserInput } from '@/api/types'

/** Returns what a dialog changes of a user. What was not edited is not sent, since it may have been changed elsewhere meanwhile. */
export function userChanges(user: User, edited: Required<Pick<UserInput, 'displayName' | 'role'>>): UserInput {
  return {
    ...(edited.displayName !== user.displayName ? { displayName: edited.displayName } : {}),
    ...(edited.role !== user.role ? { role: edited.role } : {}),
  }
}
