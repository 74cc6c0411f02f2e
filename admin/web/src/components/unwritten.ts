import type { InstanceSummary } from '@/api/types'

/** It is written every second; from this age on the API counts an instance as not healthy. */
const UNWRITTEN_SECONDS = 10

/** Returns for how many seconds the cursor of an instance could not be written; undefined if that is no problem, or not known. */
export function unwrittenSeconds({
  cursorUnwrittenSeconds: seconds,
}: Pick<InstanceSummary, 'cursorUnwrittenSeconds'>): number | undefined {
  return seconds !== null && seconds >= UNWRITTEN_SECONDS ? seconds : undefined
}
