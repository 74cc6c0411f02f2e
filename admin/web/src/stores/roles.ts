import type { Role } from '@/api/types'

const RANK: Record<Role, number> = { viewer: 0, operator: 1, administrator: 2 }

/** Returns whether a role includes all that another one may. */
export function includes(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed]
}
