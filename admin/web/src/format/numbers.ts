/** Numbers as people read them: short, with a unit, never more digits than matter. */

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Formats a count, such as 1,234,567. */
export function count(value: number | null | undefined, language: string): string {
  return value === null || value === undefined ? '–' : new Intl.NumberFormat(language).format(value)
}

/** Formats a count in a few characters, such as 9,876 or 12.3K; 万 and 亿 in Chinese. */
export function shortCount(value: number | null | undefined, language: string): string {
  if (value === null || value === undefined) {
    return '–'
  }
  if (Math.abs(value) < 10_000) {
    return new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(value)
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

type TimeUnit = 'day' | 'hour' | 'minute' | 'second'
const TIME_UNITS: Record<'en' | 'zh', Record<TimeUnit, string>> = {
  en: { day: 'd', hour: 'h', minute: 'min', second: 's' },
  zh: { day: '天', hour: '小时', minute: '分钟', second: '秒' },
}

/** Formats a number of seconds in its two largest units, such as 1 h 5 min. */
export function duration(seconds: number | null | undefined, language: string): string {
  if (seconds === null || seconds === undefined) {
    return '–'
  }
  const units = TIME_UNITS[language === 'zh' ? 'zh' : 'en']
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) {
    return `${whole} ${units.second}`
  }
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), units.day],
    [Math.floor(whole / 3_600) % 24, units.hour],
    [Math.floor(whole / 60) % 60, units.minute],
    [whole % 60, units.second],
  ]
  const first = parts.findIndex(([amount]) => amount > 0)
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}

/** Makes a rate of a formatted amount; one that is not known stays a dash. */
export function perSecond(amount: string): string {
  return amount === '–' ? amount : `${amount}/s`
}

function trimmed(amount: number): string {
  return amount.toFixed(amount < 10 ? 2 : 1).replace(/\.?0+$/, '')
}
