/** Formats a time to the second, with 24 hours and the name of the zone: that of the browser, unless another is given. */
export function time(iso: string | null | undefined, language: string, timeZone?: string): string {
  const date = parsed(iso)
  if (date === undefined) {
    return '–'
  }
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  }).format(date)
}

/** Formats how long ago a time was, such as 5 minutes ago. */
export function ago(iso: string | null | undefined, now: number, language: string): string {
  const date = parsed(iso)
  if (date === undefined) {
    return '–'
  }
  const seconds = past(Math.round((date.getTime() - now) / 1000))
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ]
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) {
      return format.format(Math.trunc(seconds / size), unit)
    }
  }
  return format.format(seconds, 'second')
}

/** Clocks differ a little: what is a moment ahead happens now. */
function past(seconds: number): number {
  return seconds > 0 && seconds < 60 ? 0 : seconds
}

function parsed(iso: string | null | undefined): Date | undefined {
  if (!iso) {
    return undefined
  }
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? undefined : date
}
