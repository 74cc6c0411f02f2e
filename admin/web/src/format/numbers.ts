/** Numbers as people read them: short, with a unit, never more digits than matter. */

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Formats a count, such as 1,234,567. */
export function count(value: number | null | undefined, language: string): string {
  return value === null || value === undefined ? '–' : new Intl.NumberFormat(language).format(value)
}

/** Formats a large count in a few characters, such as 12.3K; 万 and 亿 in Chinese. */
export function shortCount(value: number | null | undefined, language: string): string {
  if (value === null || value === undefined) {
    return '–'
  }
  return new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 3 }).format(value)
}

/** Formats bytes with a binary unit, such as 1.5 MiB. */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) {
    return '–'
  }
  let amount = value
  let unit = 0
  while (Math.abs(amount) >= 1024 && unit < BYTE_UNITS.length - 1) {
    amount /= 1024
    unit++
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : trimmed(amount)} ${BYTE_UNITS[unit]}`
}

/** Formats a number of seconds in its two largest units, such as 1 h 5 min. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) {
    return '–'
  }
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) {
    return `${whole} s`
  }
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ]
  const first = parts.findIndex(([amount]) => amount > 0)
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

function trimmed(amount: number): string {
  return amount.toFixed(amount < 10 ? 2 : 1).replace(/\.?0+$/, '')
}
