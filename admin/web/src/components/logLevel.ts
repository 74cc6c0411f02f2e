/** Returns the level of a log line, if it is a warning or an error. */
export function logLevel(line: string): 'error' | 'warning' | undefined {
  const level = /\b(ERROR|FATAL|WARN(?:ING)?)\b/.exec(line.slice(0, 120))?.[1]
  if (level === undefined) {
    return undefined
  }
  return level.startsWith('WARN') ? 'warning' : 'error'
}
