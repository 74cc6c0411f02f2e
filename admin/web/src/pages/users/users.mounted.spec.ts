// @vitest-environment happy-dom
import { Refusal } from '@/testing/fakeApi'
import { changed, choose, nothingChanged, open, press, says, serverFor, text, type } from '@/testing/pages'
import { user } from '@/testing/samples'
import { describe, expect, it } from 'vitest'

const administrator = () =>
  serverFor('administrator').on('GET', 'users', [
    user('the-administrator', { role: 'administrator' }),
    user('ada', { displayName: 'Ada', role: 'operator' }),
    user('old', { disabled: true }),
  ])

describe('the users', () => {
  it('are shown with role and state', async () => {
    administrator()
    await open('/users')

    await says('ada')
    const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.textContent!)
    expect(rows[0]).toContain('you')
    expect(rows[1]).toContain('Operator')
    expect(rows[1]).toContain('Active')
    expect(rows[2]).toContain('Disabled')
  })

  it.each(['viewer', 'operator'] as const)('are not shown to a %s', async (role) => {
    serverFor(role).on('GET', 'users', [user('ada')])
    await open('/users')

    await says('Your role does not allow this page')
    expect(text()).not.toContain('ada')
    expect([...document.querySelectorAll('nav a')].map((link) => link.textContent?.trim())).not.toContain('Users')
  })

  it('are added with an initial password, which is shown once', async () => {
    administrator().on('POST', 'users', { name: 'bob', password: 'brisk-otter-41' })
    await open('/users')

    await press('Add user')
    await type('User name', 'bob')
    await press('Save')

    expect(await changed('POST', 'users')).toEqual({ name: 'bob', displayName: '', role: 'viewer' })
    await says('brisk-otter-41')
  })

  it('are changed in what was edited only', async () => {
    administrator().on('PUT', 'users/ada', user('ada'))
    await open('/users')

    await press('Actions for ada')
    await press('Edit')
    await type('Display name', 'Ada L.')
    await press('Save')

    expect(await changed('PUT', 'users/ada')).toEqual({ displayName: 'Ada L.' })
  })

  it('get another role', async () => {
    administrator().on('PUT', 'users/ada', user('ada'))
    await open('/users')

    await press('Actions for ada')
    await press('Edit')
    await choose('Viewer')
    await press('Save')

    expect(await changed('PUT', 'users/ada')).toEqual({ role: 'viewer' })
  })

  it('are deleted after a confirmation, unless the server refuses', async () => {
    const api = administrator()
    api.on('DELETE', 'users/ada', new Refusal(409, { title: 'Conflict', detail: 'ada is the last administrator.' }))
    await open('/users')

    await press('Actions for ada')
    await press('Delete')
    await nothingChanged()
    await press('Delete')

    await changed('DELETE', 'users/ada')
    await says('ada is the last administrator.')
  })
})
