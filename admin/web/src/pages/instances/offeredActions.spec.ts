import { describe, expect, it } from 'vitest'
import type { Capability } from '@/api/types'
import { offeredActions } from './offeredActions'

const ALL: Capability[] = ['start', 'stop', 'restart', 'release', 'pause', 'resume', 'reload', 'limit', 'cursor']
const detail = (more: object = {}, capabilities: Capability[] = ALL) => ({
  capabilities,
  pauseAt: null,
  servers: [],
  summary: { state: 'running' as const, paused: false, managed: true, enabled: true, ...more },
})

describe('offered actions', () => {
  it('are none for viewers', () => expect(offeredActions(detail(), 'viewer')).toEqual([]))

  it('move the cursor for administrators only', () => {
    expect(offeredActions(detail(), 'operator')).not.toContain('cursor')
    expect(offeredActions(detail(), 'administrator')).toContain('cursor')
  })

  it('are only those that the server can be asked for', () => {
    expect(offeredActions(detail({ managed: false }, ['stop']), 'administrator')).toEqual(['stop'])
  })

  it('follow the state', () => {
    expect(offeredActions(detail(), 'operator')).not.toContain('start')
    expect(offeredActions(detail({ state: 'stopped' }), 'operator')).toContain('start')
    expect(offeredActions(detail({ state: 'stopping' }), 'operator')).toEqual(expect.arrayContaining(['start', 'stop']))
    expect(
      offeredActions({ ...detail(), servers: [{ state: 'running' }, { state: 'stopped' }] }, 'operator'),
    ).toContain('start')
    expect(offeredActions(detail({ state: 'stopped' }), 'operator')).not.toContain('stop')
    expect(offeredActions(detail({ state: 'not_here' }), 'operator')).toEqual(expect.arrayContaining(['start', 'stop']))
    expect(offeredActions(detail({ paused: true }), 'operator')).toEqual(expect.arrayContaining(['resume']))
    expect(offeredActions(detail({ paused: true }), 'operator')).not.toContain('pause')
    expect(offeredActions({ ...detail(), pauseAt: 'a:4' }, 'operator')).toContain('resume')
    expect(offeredActions(detail({ enabled: false, state: 'disabled' }), 'operator')).toContain('enable')
  })
})
