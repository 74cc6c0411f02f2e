import { describe, expect, it } from 'vitest'
import { docParts, docText } from './docText'

describe('the description of a key', () => {
  it('has its code apart, and no links of the manual', () => {
    expect(docParts('The [rules](#rules): `topic:match`; see [filters](#filters). Must be a text.')).toEqual([
      { text: 'The rules: ', code: false },
      { text: 'topic:match', code: true },
      { text: '.', code: false },
    ])
  })

  it('says what a value must be if that is more than a text', () => {
    expect(docText('How many of `x`. Must be a whole number.')).toBe('How many of x. Must be a whole number.')
  })

  it('stays text, whatever it holds', () => {
    expect(docText('<img src=x> `')).toBe('<img src=x> ')
  })
})
