const SLOWEST = 3
const FASTEST = 0.25

/**
 * Returns how long one dash of the picture takes to move by its length, for a rate: the faster the stream, the shorter, on a
 * logarithmic scale. Undefined: nothing moves.
 */
export function flowSeconds(rate: number | null): number | undefined {
  if (rate === null || rate <= 0) {
    return undefined
  }
  const seconds = SLOWEST / (1 + Math.log10(1 + rate))
  // Few distinct values, since each new one makes the animation jump.
  return Math.max(FASTEST, Math.round(seconds * 4) / 4)
}
