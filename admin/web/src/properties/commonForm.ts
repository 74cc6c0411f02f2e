import { PropertiesDocument } from './PropertiesDocument'

/** Keys of an instance that the form shows; all others are left as they are. */
export const FIELDS = {
  address: 'canal.instance.master.address',
  user: 'canal.instance.dbUsername',
  password: 'canal.instance.dbPassword',
  include: 'canal.instance.filter.regex',
  exclude: 'canal.instance.filter.black.regex',
  topic: 'canal.mq.topic',
  dynamicTopic: 'canal.mq.dynamicTopic',
  partitionHash: 'canal.mq.partitionHash',
  partitions: 'canal.mq.partitionsNum',
} as const

export type Field = keyof typeof FIELDS

const START_FILE = 'canal.instance.master.journal.name'
const START_OFFSET = 'canal.instance.master.position'
const START_TIME = 'canal.instance.master.timestamp'
const START_GTID = 'canal.instance.master.gtid'
const GTID_ON = 'canal.instance.gtidon'

/** Where an instance without a cursor begins. */
export type Start =
  | { kind: 'newest' }
  | { kind: 'oldest' }
  | { kind: 'position'; file: string; offset: string }
  /** In milliseconds since 1970. */
  | { kind: 'time'; millis: number }
  | { kind: 'gtid'; gtid: string }
  /** A combination that the form does not know; it stays as it is. */
  | { kind: 'other' }

export function readField(text: string, field: Field): string {
  return new PropertiesDocument(text).get(FIELDS[field]) ?? ''
}

/** Returns the text with a field's value. A field that is not there and gets no value is not added. */
export function writeField(text: string, field: Field, value: string): string {
  return write(new PropertiesDocument(text), FIELDS[field], value).text
}

export function readStart(text: string): Start {
  const document = new PropertiesDocument(text)
  const [file, offset, time, gtid] = [START_FILE, START_OFFSET, START_TIME, START_GTID].map(
    (key) => document.get(key)?.trim() ?? '',
  ) as [string, string, string, string]
  if (gtid !== '') {
    return file === '' && offset === '' && time === '' ? { kind: 'gtid', gtid } : { kind: 'other' }
  }
  if (time !== '') {
    return file === '' && offset === '' && /^\d{1,15}$/.test(time)
      ? { kind: 'time', millis: Number(time) }
      : { kind: 'other' }
  }
  if (file === '') {
    return offset === '' ? { kind: 'newest' } : { kind: 'other' }
  }
  if (file === 'latest' && offset === '') {
    return { kind: 'newest' }
  }
  if (file === 'earliest' && offset === '') {
    return { kind: 'oldest' }
  }
  return { kind: 'position', file, offset }
}

/** Returns the text with another start; keys of the former start become blank. */
export function writeStart(text: string, start: Start): string {
  if (start.kind === 'other') {
    return text
  }
  const values = {
    [START_FILE]: start.kind === 'oldest' ? 'earliest' : start.kind === 'position' ? start.file : '',
    [START_OFFSET]: start.kind === 'position' ? start.offset : '',
    [START_TIME]: start.kind === 'time' ? String(start.millis) : '',
    [START_GTID]: start.kind === 'gtid' ? start.gtid : '',
  }
  let document = new PropertiesDocument(text)
  for (const [key, value] of Object.entries(values)) {
    document = write(document, key, value)
  }
  // The GTID of the start counts only with this.
  return start.kind === 'gtid' ? write(document, GTID_ON, 'true').text : document.text
}

function write(document: PropertiesDocument, key: string, value: string): PropertiesDocument {
  return value === '' && document.entry(key) === undefined ? document : document.set(key, value)
}
