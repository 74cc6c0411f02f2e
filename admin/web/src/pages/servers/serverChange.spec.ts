import { describe, expect, it } from 'vitest'
import { serverChange } from './serverChange'

describe('a change of a server', () => {
  const edited = { name: 'one', ip: '10.0.0.7', adminPort: 11110 }

  it('leaves it in its cluster unless that was edited', () => {
    expect(serverChange({ ...edited, clusterId: null }, null).keepCluster).toBe(true)
    expect(serverChange({ ...edited, clusterId: 3 }, 3).keepCluster).toBe(true)
    expect(serverChange({ ...edited, clusterId: 3 }, null)).toEqual({ ...edited, clusterId: 3 })
    expect(serverChange({ ...edited, clusterId: null }, 3)).toEqual({ ...edited, clusterId: null })
  })
})
