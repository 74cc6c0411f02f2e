// @vitest-environment happy-dom
import { changed, open, press, serverFor, type } from '@/testing/pages'
import { describe, expect, it } from 'vitest'

const PAIR = { id: 5, name: 'pair', zkHosts: 'zk:2181', servers: 1, instances: 0, modified: null }

describe('the page of a cluster', () => {
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
