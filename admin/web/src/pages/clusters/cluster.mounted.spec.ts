// @vitest-environment happy-dom
import { FakeEventSource } from '@/testing/fakeApi'
import { changed, open, press, says, serverFor, type } from '@/testing/pages'
import { page, server } from '@/testing/samples'
import { describe, expect, it } from 'vitest'

const PAIR = { id: 5, name: 'pair', zkHosts: 'zk:2181', servers: 1, instances: 0, modified: null }

describe('the page of a cluster', () => {
  it('shows its servers, and follows what happens to them', async () => {
    let state: 'running' | 'unreachable' = 'running'
    serverFor('viewer')
      .on('GET', 'clusters/5', PAIR)
      .on('GET', 'servers', ({ query }: { query: URLSearchParams }) =>
        page(server({ name: `of ${query.get('cluster')}`, state, restartKeys: ['kafka.acks'] })),
      )
    await open('/clusters/5')
    await says('of 5')
    await says('Running')
    await says('Changed keys are not in force until the server is restarted')

    state = 'unreachable'
    FakeEventSource.send('/api/v2/events', 'changed', { what: 'servers' })
    await says('Unreachable')
  })

  it('sends only what was edited, since the rest may have been changed elsewhere meanwhile', async () => {
    serverFor('operator')
      .on('GET', 'clusters/5', PAIR)
      .on('GET', 'clusters/5/config', {
        content: '',
        md5: '0'.repeat(32),
        version: 1,
        modified: null,
        modifiedBy: null,
      })
      .on('GET', 'config/keys', [])
      .on('POST', 'config/check', { problems: [], effective: [] })
      .on('GET', 'templates', [])
      .on('GET', 'servers', { items: [], total: 0, page: 1, size: 50 })
      .on('PATCH', 'clusters/5', { ...PAIR, name: 'renamed' })
    await open('/clusters/5')

    await press('Edit')
    await type('Name', 'renamed')
    await press('Save')

    expect(await changed('PATCH', 'clusters/5')).toEqual({ name: 'renamed' })
  })
})
