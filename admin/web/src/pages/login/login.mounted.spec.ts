// @vitest-environment happy-dom
import { Refusal } from '@/testing/fakeApi'
import { changed, open, press, says, seen, serverFor, type } from '@/testing/pages'
import { overview, session } from '@/testing/samples'
import { describe, expect, it } from 'vitest'

const options = { version: '9.9', password: true, oidc: null }
const history = {
  from: '2026-03-01T10:00:00Z',
  stepSeconds: 5,
  rowsPerSecond: [],
  bytesPerSecond: [],
  lagSeconds: [],
  deliveryDelaySeconds: [],
}

describe('the login', () => {
  it('leads to the page that was asked for', async () => {
    const api = serverFor(undefined).on('GET', 'login-options', options).on('GET', 'clusters', [])
    api.on('POST', 'session', session('operator'))
    const router = await open('/clusters')

    await type('User name', 'ada')
    await type('Password', 'a good password')
    await press('Log in')

    expect(await changed('POST', 'session')).toEqual({ name: 'ada', password: 'a good password' })
    await seen(() => (router.currentRoute.value.path === '/clusters' ? true : undefined), 'page of the clusters')
  })

  it('says that name or password is wrong, and keeps the name', async () => {
    serverFor(undefined)
      .on('GET', 'login-options', options)
      .on('POST', 'session', new Refusal(401, { title: 'Unauthorized' }))
    const router = await open('/')

    await type('User name', 'ada')
    await type('Password', 'wrong')
    await press('Log in')

    await says('Check both')
    expect(router.currentRoute.value.path).toBe('/login')
  })

  it('says how long to wait after too many attempts', async () => {
    serverFor(undefined)
      .on('GET', 'login-options', options)
      .on('POST', 'session', new Refusal(429, { title: 'Too many attempts', detail: 'Wait for 30 seconds.' }))
    await open('/login')

    await type('User name', 'ada')
    await type('Password', 'wrong')
    await press('Log in')

    await says('Wait for 30 seconds.')
  })

  it('asks for another password instead of an initial one', async () => {
    const api = serverFor(undefined).on('GET', 'login-options', options)
    api.on('POST', 'session', session('operator', { mustChangePassword: true }))
    const router = await open('/')

    await type('User name', 'ada')
    await type('Password', 'initial')
    await press('Log in')

    await seen(() => (router.currentRoute.value.path === '/password' ? true : undefined), 'page of the password')
  })

  it('is asked for when the session has ended', async () => {
    const api = serverFor('viewer').on('GET', 'overview', overview()).on('GET', 'history', history)
    api.on('GET', 'login-options', options).on('GET', 'clusters', new Refusal(401))
    const router = await open('/')

    await router.push('/clusters')

    await says('Your session has ended')
    expect(router.currentRoute.value.query['from']).toBe('/clusters')
  })
})
