import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIELDS, readField, readStart, writeField, writeStart, type Field, type Start } from './commonForm'

const TEXT = `# The source
canal.instance.master.address = 127.0.0.1:3306
canal.instance.dbUsername = canal
#canal.instance.dbPassword = ...

canal.instance.master.journal.name =
canal.instance.master.position =
canal.instance.gtidon = false
canal.instance.filter.regex = .*\\\\..*
my.own.key = kept
canal.mq.topic = example
`

describe('fields', () => {
  it('reads the text that the file stands for', () => {
    expect(readField(TEXT, 'include')).toBe('.*\\..*')
    expect(readField(TEXT, 'dynamicTopic')).toBe('')
  })

  it('adds no blank keys', () => {
    expect(writeField(TEXT, 'exclude', '')).toBe(TEXT)
  })

  it('writes a key below the comment that shows it', () => {
    expect(writeField(TEXT, 'password', '${env:DB}')).toContain(
      '#canal.instance.dbPassword = ...\ncanal.instance.dbPassword = ${env:DB}\n',
    )
  })

  it('reads what it has written, and leaves comments and other keys', () => {
    const fields = Object.keys(FIELDS) as Field[]
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.string({ unit: 'grapheme' }), (field, value) => {
        const text = writeField(TEXT, field, value)
        expect(readField(text, field)).toBe(value)
        expect(text).toContain('my.own.key = kept')
        expect(text).toContain('# The source')
      }),
    )
  })
})

describe('the start', () => {
  const starts: Start[] = [
    { kind: 'newest' },
    { kind: 'oldest' },
    { kind: 'position', file: 'mysql-bin.000007', offset: '157' },
    { kind: 'time', millis: 1772359200000 },
    { kind: 'gtid', gtid: '3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5' },
  ]

  it('reads each kind that it has written after any other', () => {
    for (const first of starts) {
      for (const second of starts) {
        expect(readStart(writeStart(writeStart(TEXT, first), second))).toEqual(second)
      }
    }
  })

  it('turns GTIDs on for a start by GTID', () => {
    expect(writeStart(TEXT, starts[4]!)).toContain('canal.instance.gtidon = true')
  })

  it('leaves a combination alone that it does not know', () => {
    const text = 'canal.instance.master.journal.name = a.1\ncanal.instance.master.timestamp = 5\n'
    expect(readStart(text)).toEqual({ kind: 'other' })
    expect(writeStart(text, { kind: 'other' })).toBe(text)
  })
})
