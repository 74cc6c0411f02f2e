import type { Config } from '@/api/types'

/** Returns whether a configuration is another than before; one that was deleted and created again has the same versions. */
export function isReplaced(before: Config, now: Config): boolean {
  return now.version !== before.version || now.md5 !== before.md5
}
