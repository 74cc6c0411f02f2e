import { describe, expect, it } from 'vitest'
import type { Config } from '@/api/types'
import { isReplaced } from './replaced'

const config = (version: number, md5: string): Config => ({
  content: md5,
  md5,
  version,
  modified: null,
  modifiedBy: null,
})

describe('a configuration that is edited', () => {
  it('is replaced by a newer version, and by one that was created again', () => {
    expect(isReplaced(config(2, 'a'), config(2, 'a'))).toBe(false)
    expect(isReplaced(config(2, 'a'), config(3, 'a'))).toBe(true)
    expect(isReplaced(config(2, 'a'), config(1, 'b'))).toBe(true)
    expect(isReplaced(config(1, 'a'), config(1, 'b'))).toBe(true)
  })
})
