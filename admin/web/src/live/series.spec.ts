import { describe, expect, it } from 'vitest'
import { NO_POINTS, WINDOW_SECONDS, seriesOf, withPoint } from './series'

const point = (time: number) => ({ time, rows: 1, bytes: 2, lag: null })

describe('a series', () => {
  it('has the times of a history', () => {
    const series = seriesOf({
      from: '1970-01-01T00:01:00Z',
      stepSeconds: 5,
      rowsPerSecond: [1, null],
      bytesPerSecond: [2, null],
      lagSeconds: [0, null],
      deliveryDelaySeconds: [0, null],
    })
    expect(series.times).toEqual([60, 65])
    expect(series.rows).toEqual([1, null])
  })

  it('has the longer of the lag of reading and the delay of delivery', () => {
    const series = seriesOf({
      from: '1970-01-01T00:01:00Z',
      stepSeconds: 5,
      rowsPerSecond: [0, 0, 0, 0, 0],
      bytesPerSecond: [0, 0, 0, 0, 0],
      lagSeconds: [0, 9, null, null, null],
      deliveryDelaySeconds: [35, 2, 40, 0, null],
    })
    expect(series.lag).toEqual([35, 9, 40, null, null])
  })

  it('drops points that are older than the window', () => {
    let series = withPoint(NO_POINTS, point(100))
    series = withPoint(series, point(200))
    series = withPoint(series, point(150 + WINDOW_SECONDS))
    expect(series.times).toEqual([200, 201, 150 + WINDOW_SECONDS])
    expect(series.rows).toHaveLength(3)
    expect(withPoint(series, point(100_000)).times).toEqual([100_000])
  })

  it('has a gap where nothing is known for a while', () => {
    const series = withPoint(withPoint(NO_POINTS, point(100)), point(700))
    expect(series.times).toEqual([100, 101, 700])
    expect(series.rows).toEqual([1, null, 1])
    expect(withPoint(withPoint(NO_POINTS, point(100)), point(105)).rows).toEqual([1, 1])
  })

  it('ignores a point that is not newer', () => {
    const series = withPoint(NO_POINTS, point(100))
    expect(withPoint(series, point(100))).toBe(series)
    expect(withPoint(series, point(99))).toBe(series)
  })
})
