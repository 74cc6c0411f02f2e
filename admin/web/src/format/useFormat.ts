import { useI18n } from 'vue-i18n'
import * as numbers from './numbers'
import * as times from './time'

/** The formatters in the language of the page. */
export function useFormat() {
  const { locale } = useI18n()
  return {
    count: (value: number | null | undefined) => numbers.count(value, locale.value),
    shortCount: (value: number | null | undefined) => numbers.shortCount(value, locale.value),
    rowRate: (value: number | null | undefined) => numbers.perSecond(numbers.shortCount(value, locale.value)),
    bytes: numbers.bytes,
    byteRate: (value: number | null | undefined) => numbers.perSecond(numbers.bytes(value)),
    duration: (seconds: number | null | undefined) => numbers.duration(seconds, locale.value),
    time: (iso: string | null | undefined) => times.time(iso, locale.value),
    ago: (iso: string | null | undefined, now: number) => times.ago(iso, now, locale.value),
  }
}
