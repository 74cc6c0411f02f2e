// @vitest-environment happy-dom
import { held } from '@/testing/fakeApi'
import { changed, field, nothingIsPending, open, press, says, serverFor, text, type } from '@/testing/pages'
import { page, server } from '@/testing/samples'
import { describe, expect, it } from 'vitest'

describe('the dialog of a server', () => {
  it('shows the result of a test only beneath the values that were tested', async () => {
    const api = serverFor('administrator').on('GET', 'servers', page(server())).on('GET', 'clusters', [])
    const tested = held<object>()
    api.on('POST', 'servers/test', () => tested.promise)
    await open('/servers')
    await press('Add server')
    await type('Name', 'right')
    await type('Address', '10.0.0.8')
    await press('Test')
    await changed('POST', 'servers/test')

    await type('Address', '10.0.0.9')
    tested.resolve({ control: { ok: true, message: 'It answers.' }, adminPort: { ok: true, message: '' } })
    await nothingIsPending()

    expect(text()).not.toContain('It answers.')
    await type('Address', '10.0.0.8')
    await says('It answers.')
    expect((await field('Address')).value).toBe('10.0.0.8')
  })
})
