import type { History } from '@/api/types'
import { totalLag } from './totalLag'

/** Points of the last minutes, for charts: times in seconds since 1970, and the values at these times. */
export interface Series {
  times: number[]
  rows: (number | null)[]
  bytes: (number | null)[]
  lag: (number | null)[]
}

export interface Point {
  time: number
  rows: number | null
  bytes: number | null
  lag: number | null
}

export const NO_POINTS: Series = { times: [], rows: [], bytes: [], lag: [] }
export const WINDOW_SECONDS = 15 * 60
/** Points of a history are 5 seconds apart, those of a stream 2; with longer distances something is missing. */
const LONGEST_STEP_SECONDS = 15

/** Returns the points of a history. */
export function seriesOf(history: History): Series {
  const from = Date.parse(history.from) / 1000
  return {
    times: history.rowsPerSecond.map((_, index) => from + index * history.stepSeconds),
    rows: history.rowsPerSecond,
    bytes: history.bytesPerSecond,
    lag: history.lagSeconds.map((lag, index) => totalLag(lag, history.deliveryDelaySeconds[index] ?? null)),
  }
}

/** Returns the series with a newer point, without those that are older than the window. A point that is not newer is ignored. */
export function withPoint(series: Series, point: Point): Series {
  const newest = series.times.at(-1)
  if (newest !== undefined && point.time <= newest) {
    return series
  }
  if (newest !== undefined && point.time - newest > LONGEST_STEP_SECONDS) {
    // nothing is known of the time between: a line must not be drawn across it
    return appended(appended(series, { time: newest + 1, rows: null, bytes: null, lag: null }), point)
  }
  return appended(series, point)
}

function appended(series: Series, point: Point): Series {
  const from = series.times.findIndex((time) => time >= point.time - WINDOW_SECONDS)
  const kept = from < 0 ? series.times.length : from
  return {
    times: [...series.times.slice(kept), point.time],
    rows: [...series.rows.slice(kept), point.rows],
    bytes: [...series.bytes.slice(kept), point.bytes],
    lag: [...series.lag.slice(kept), point.lag],
  }
}
