/**
 * Returns the lag as an operator sees it, in seconds: the longer of the lag of reading and the delay of delivery; null if it is not known,
 * as while the source cannot be read and nothing that was read waits.
 */
export function totalLag(lagSeconds: number | null, deliveryDelaySeconds: number | null): number | null {
  if (lagSeconds === null) {
    return deliveryDelaySeconds === 0 ? null : deliveryDelaySeconds
  }
  return Math.max(lagSeconds, deliveryDelaySeconds ?? 0)
}
