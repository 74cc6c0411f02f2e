const MAX_LENGTH = 100

/** Returns a name for a copy that no template has: "x copy", "x copy 2" and so on. MySQL does not tell upper from lower case. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((each) => each.toLowerCase()))
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? ' copy' : ` copy ${number}`
    const free = name.slice(0, MAX_LENGTH - suffix.length) + suffix
    if (!used.has(free.toLowerCase())) {
      return free
    }
  }
}
