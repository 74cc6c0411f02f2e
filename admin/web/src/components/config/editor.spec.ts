import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import type { ConfigKey, ConnectVerdict } from '@/api/types'
import { PropertiesDocument } from '@/properties/PropertiesDocument'
import { completeProperties, keysOf } from './keyDocs'
import { lineOf } from './problemLines'
import { tableNames } from './tableNames'
import { byTarget, overall, verdictTone } from './verdicts'

const key = (name: string, more: Partial<ConfigKey> = {}): ConfigKey => ({
  key: name,
  scope: 'instance',
  type: 'text',
  defaultValue: null,
  description: '',
  values: [],
  secret: false,
  effect: 'reload',
  group: '',
  ...more,
})
const KEYS = [
  key('canal.mq.topic'),
  key('canal.x.on', { type: 'true or false' }),
  key('canal.mode', { values: ['a', 'b'] }),
]
const WORDS = {
  language: 'en',
  foreign: '',
  defaultValue: '',
  values: '',
  effect: { reload: '', restart: '' },
  secret: '',
}

function complete(text: string, explicit = false) {
  const context = new CompletionContext(EditorState.create({ doc: text }), text.length, explicit)
  return completeProperties(context, KEYS, WORDS)
}

describe('completion', () => {
  it('offers keys at the beginning of a line, and in a comment', () => {
    expect(complete('a = 1\ncanal.m')?.options).toHaveLength(3)
    expect(complete('#canal.m')?.from).toBe(1)
    expect(complete('')).toBeNull()
    expect(complete('', true)?.options).toHaveLength(3)
  })

  it('offers the values of a key', () => {
    expect(complete('canal.mode = ')?.options.map(({ label }) => label)).toEqual(['a', 'b'])
    expect(complete('canal.x.on=t')?.options.map(({ label }) => label)).toEqual(['true', 'false'])
    expect(complete('canal.mq.topic = x')).toBeNull()
  })

  it('leaves keys of the server out of the text of an instance', () => {
    const keys = [key('a'), key('b', { scope: 'server' }), key('c', { scope: 'both' })]
    expect(keysOf(keys, 'instance').map((each) => each.key)).toEqual(['a', 'c'])
    expect(keysOf(keys, 'cluster')).toHaveLength(3)
  })
})

describe('the line of a problem', () => {
  const document = new PropertiesDocument('# c\na = 1,\\\n  2\nb = 3\n')

  it('is the one it names, if its key is there', () => {
    expect(lineOf({ key: 'a', line: 3 }, document)).toBe(3)
    expect(lineOf({ key: null, line: 1 }, document)).toBe(1)
  })

  it('is that of its key, if it names none or a wrong one', () => {
    expect(lineOf({ key: 'b', line: null }, document)).toBe(4)
    expect(lineOf({ key: 'b', line: 2 }, document)).toBe(4)
  })

  it('is none, if the text has neither', () => {
    expect(lineOf({ key: 'z', line: null }, document)).toBeUndefined()
    expect(lineOf({ key: null, line: 99 }, document)).toBeUndefined()
  })
})

describe('typed names of tables', () => {
  it('are separated by anything, and each taken once', () => {
    expect(tableNames(' a.b, c.d;a.b\n\ne.f ')).toEqual(['a.b', 'c.d', 'e.f'])
    expect(tableNames('')).toEqual([])
  })
})

describe('verdicts', () => {
  const found = (target: string, verdict: ConnectVerdict['verdict']): ConnectVerdict => ({
    target,
    what: 'login',
    verdict,
    message: '',
    remedy: null,
  })

  it('are put together by server, in the order in which they come', () => {
    const targets = byTarget([found('source', 'ok'), found('kafka', 'failed'), found('source', 'warning')])
    expect(targets.map(({ name, verdicts }) => [name, verdicts.length])).toEqual([
      ['source', 2],
      ['kafka', 1],
    ])
  })

  it('come to the worst of them', () => {
    expect(overall([found('a', 'ok')])).toBe('ok')
    expect(overall([found('a', 'ok'), found('a', 'warning')])).toBe('warning')
    expect(overall([found('a', 'warning'), found('b', 'unknown')])).toBe('unknown')
    expect(overall([found('a', 'unknown'), found('b', 'failed')])).toBe('failed')
  })

  it('have a sign each', () => {
    expect((['ok', 'warning', 'failed', 'unknown'] as const).map(verdictTone)).toEqual([
      'ok',
      'warning',
      'error',
      'neutral',
    ])
  })
})
