/** A point of the binlog as it is typed: now, a position, a GTID (set), or a time. */
export interface Point {
  kind: 'now' | 'position' | 'gtid' | 'time'
  position: string
  gtid: string
  /** As datetime-local fields have it: local time without a zone. */
  time: string
}

export const NOW: Readonly<Point> = { kind: 'now', position: '', gtid: '', time: '' }

/** Returns whether a point is complete. */
export function pointReady(point: Point): boolean {
  switch (point.kind) {
    case 'now':
      return true
    case 'position':
      return /^(oldest|newest|[^:\s]+:\d+)$/.test(point.position.trim())
    case 'gtid':
      return point.gtid.trim() !== ''
    case 'time':
      return !Number.isNaN(Date.parse(point.time))
  }
}

/** Returns the point as the API takes it: one of the three, with the time in UTC. */
export function pointValue(point: Point): { position?: string; gtid?: string; time?: string } {
  switch (point.kind) {
    case 'now':
      return {}
    case 'position':
      return { position: point.position.trim() }
    case 'gtid':
      return { gtid: point.gtid.replace(/\s+/g, '') }
    case 'time':
      return { time: new Date(point.time).toISOString().replace('.000Z', 'Z') }
  }
}

/** Returns the message after a pause: at a point that is yet to come, the instance delivers until then. */
export function pauseNotice(
  t: (key: string, values: Record<string, string>) => string,
  name: string,
  point: Point,
): string {
  const at = pointText(point)
  return at === undefined ? t('action.pause.done', { name }) : t('action.pause.doneAt', { name, at })
}

/** Returns the point as it is shown, with a time as it was typed; undefined for now. */
function pointText(point: Point): string | undefined {
  switch (point.kind) {
    case 'now':
      return undefined
    case 'position':
      return point.position.trim()
    case 'gtid':
      return point.gtid.replace(/\s+/g, '')
    case 'time':
      return point.time.replace('T', ' ')
  }
}
