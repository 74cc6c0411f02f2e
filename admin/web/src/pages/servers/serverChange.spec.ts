import { describe, expect, it } from 'vitest'
import { serverChange } from './serverChange'

describe('a change of a server', () => {
  const before = {
    name: 'one',
    ip: '10.0.0.7',
    adminPort: 11110,
    tcpPort: 11111,
    clusterId: 3,
    controlUrl: 'https://10.0.0.7:11113',
    controlToken: null,
  }

  it('has what was edited', () => {
    expect(serverChange(before, { ...before })).toEqual({})
    expect(serverChange(before, { ...before, name: 'two' })).toEqual({ name: 'two' })
    expect(serverChange(before, { ...before, clusterId: null, tcpPort: null })).toEqual({
      clusterId: null,
      tcpPort: null,
    })
    expect(serverChange(before, { ...before, controlToken: '' })).toEqual({ controlToken: '' })
  })

  it('has the URL that a token was entered for', () => {
    expect(serverChange(before, { ...before, controlToken: 'secret' })).toEqual({
      controlUrl: 'https://10.0.0.7:11113',
      controlToken: 'secret',
    })
  })
})
