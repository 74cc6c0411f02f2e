import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PropertiesDocument, escapeKey, escapeValue, unescape } from './PropertiesDocument'

const read = (text: string) => new PropertiesDocument(text).entries.map(({ key, value }) => [key, value])

/** Pieces that texts of properties are made of, the awkward ones included. */
const piece = fc.constantFrom(
  'a',
  'key',
  'canal.mq.topic',
  ' ',
  '\t',
  '\f',
  '=',
  ':',
  '#',
  '!',
  '\\',
  '\\\\',
  '\n',
  '\r\n',
  '\r',
  '\\\n',
  '\\\r\n  ',
  '\\u0041',
  '\\u00',
  'ü',
  '数据',
  '\\t',
  ' = ',
  '\n\n',
  '${env:X}',
)
const anyText = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''))
const anyValue = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), anyText)
const anyKey = fc.oneof(fc.string({ minLength: 1, maxLength: 12 }), fc.constantFrom('key', 'a', 'canal.mq.topic'))

describe('reading', () => {
  it('reads what java.util.Properties reads', () => {
    expect(read('a=1\nb : 2\n  c 3\nd\n\n# e=5\n! f=6\ng=  x y  ')).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
      ['d', ''],
      ['g', 'x y  '],
    ])
  })

  it('joins continuation lines, without the blanks that begin them', () => {
    expect(read('filter = shop\\\\.a,\\\n    shop\\\\.b\nnext = 1')).toEqual([
      ['filter', 'shop\\.a,shop\\.b'],
      ['next', '1'],
    ])
  })

  it('does not continue comments', () => {
    expect(read('# comment \\\na = 1')).toEqual([['a', '1']])
  })

  it('reads escapes', () => {
    expect(read('a\\ b\\=c = \\u0041\\t\\\\x\\:')).toEqual([['a b=c', 'A\t\\x:']])
  })

  it('takes only one separator', () => {
    expect(read('a = = 1\nb==2\nc :=3')).toEqual([
      ['a', '= 1'],
      ['b', '=2'],
      ['c', '=3'],
    ])
  })

  it('counts lines, continuation lines and Windows line breaks included', () => {
    const document = new PropertiesDocument('# one\r\na = 1,\\\r\n  2\r\n\r\nb = 3\r\n')
    expect(document.entries.map(({ key, line, lines }) => [key, line, lines])).toEqual([
      ['a', 2, 2],
      ['b', 5, 1],
    ])
    expect(document.entryAtLine(3)?.key).toBe('a')
    expect(document.entryAtLine(4)).toBeUndefined()
  })
})

describe('writing', () => {
  it('changes the value, and nothing else', () => {
    const text = '# source\ncanal.instance.master.address=db:3306   \nunknown : x\n'
    expect(new PropertiesDocument(text).set('canal.instance.master.address', 'db2:3306').text).toBe(
      '# source\ncanal.instance.master.address=db2:3306\nunknown : x\n',
    )
  })

  it('writes backslashes twice', () => {
    expect(new PropertiesDocument('f = x\n').set('f', 'shop\\..*').text).toBe('f = shop\\\\..*\n')
  })

  it('adds a key below the comment that shows it', () => {
    const text = '# Topics\n#canal.mq.dynamicTopic = a:b\n#canal.mq.dynamicTopic = c:d\n\n# Other\n'
    expect(new PropertiesDocument(text).set('canal.mq.dynamicTopic', 't:x').text).toBe(
      '# Topics\n#canal.mq.dynamicTopic = a:b\n#canal.mq.dynamicTopic = c:d\ncanal.mq.dynamicTopic = t:x\n\n# Other\n',
    )
  })

  it('adds a key at the end, on a line of its own', () => {
    expect(new PropertiesDocument('a = 1').set('b', '2').text).toBe('a = 1\nb = 2\n')
    expect(new PropertiesDocument('a = 1\\').set('b', '2').get('b')).toBe('2')
    expect(new PropertiesDocument('a = 1\\\n').set('b', '2').get('a')).toBe('1')
  })

  it('keeps a blank value blank, and fills one', () => {
    expect(new PropertiesDocument('a =\nb = 1\n').set('a', 'x').text).toBe('a = x\nb = 1\n')
    expect(new PropertiesDocument('a = x\n').set('a', '').text).toBe('a = \n')
    expect(new PropertiesDocument('a\nb=1').set('a', 'x').text).toBe('a = x\nb=1')
  })

  it('removes all entries of a key', () => {
    expect(new PropertiesDocument('a=1\n# c\nb=2\\\n 3\na=4\n').remove('a').text).toBe('# c\nb=2\\\n 3\n')
  })
})

describe('properties of any text', () => {
  it('reads back any key and value that was set, and leaves all others', () => {
    fc.assert(
      fc.property(anyText, anyKey, anyValue, (text, key, value) => {
        const before = new PropertiesDocument(text)
        const after = before.set(key, value)
        expect(after.get(key)).toBe(value)
        for (const entry of before.entries) {
          if (entry.key !== key) {
            expect(after.get(entry.key)).toBe(before.get(entry.key))
          }
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('changes nothing when the value is the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const document = new PropertiesDocument(text)
        for (const entry of document.entries) {
          expect(document.set(entry.key, document.get(entry.key)!).text).toBe(text)
        }
      }),
    )
  })

  it('keeps every comment when a key is set', () => {
    fc.assert(
      fc.property(anyText, anyKey, anyValue, (text, key, value) => {
        const body = text.replaceAll('\\', '')
        const comments = (of: string) => of.split(/\r\n|\r|\n/).filter((line) => /^\s*[#!]/.test(line))
        expect(comments(new PropertiesDocument(body).set(key, value).text)).toEqual(comments(body))
      }),
    )
  })

  it('escapes so that unescape gives the same', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(unescape(escapeValue(value))).toBe(value)
        expect(unescape(escapeKey(value))).toBe(value)
      }),
    )
  })

  it('gives entries in order, and within the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let at = 0
        for (const entry of new PropertiesDocument(text).entries) {
          expect(entry.start).toBeGreaterThanOrEqual(at)
          expect(entry.valueStart).toBeGreaterThanOrEqual(entry.start)
          expect(entry.end).toBeGreaterThanOrEqual(entry.valueStart)
          at = entry.end
        }
        expect(at).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})
