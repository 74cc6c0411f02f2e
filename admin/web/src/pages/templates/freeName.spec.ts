import { describe, expect, it } from 'vitest'
import { freeName } from './freeName'

describe('the name of a copy', () => {
  it('is one that no template has', () => {
    expect(freeName('instance-kafka', ['instance-kafka'])).toBe('instance-kafka copy')
    expect(freeName('instance-kafka', ['Instance-Kafka copy', 'instance-kafka copy 3'])).toBe('instance-kafka copy 2')
    expect(freeName('x'.repeat(100), ['x'.repeat(95) + ' copy'])).toBe('x'.repeat(93) + ' copy 2')
  })
})
