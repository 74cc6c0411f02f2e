import type { ServerChange, ServerInput } from '@/api/types'

/**
 * Returns what a dialog changes of a server. What was not edited is not sent, since it may have been changed elsewhere meanwhile; only a
 * token is sent with the URL that it was entered for.
 *
 * @param before what the dialog began with
 */
export function serverChange(before: ServerInput, edited: ServerInput): ServerChange {
  const changed = (Object.keys(edited) as (keyof ServerInput)[]).filter(
    (field) => edited[field] !== before[field] || (field === 'controlUrl' && edited.controlToken),
  )
  return Object.fromEntries(changed.map((field) => [field, edited[field]]))
}
