/** Calls once after the calls have stopped for `ms`. */
export function debounced<A extends unknown[]>(ms: number, call: (...args: A) => void): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return (...args) => {
    clearTimeout(timer)
    timer = setTimeout(() => call(...args), ms)
  }
}
