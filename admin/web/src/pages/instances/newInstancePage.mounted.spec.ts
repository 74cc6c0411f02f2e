// @vitest-environment happy-dom
import { held, Refusal } from '@/testing/fakeApi'
import { field, nothingIsPending, open, serverFor, text, type } from '@/testing/pages'
import { page, server } from '@/testing/samples'
import { describe, expect, it } from 'vitest'

const TEMPLATE = 'canal.instance.master.address = 127.0.0.1:3306\ncanal.mq.topic = changes\n'
const template = { name: 'kafka', kind: 'instance', content: TEMPLATE, md5: '0', builtIn: true }

function openWith(templates: object | (() => unknown)) {
  const api = serverFor('operator')
    .on('GET', 'templates', templates)
    .on('GET', 'config/keys', [])
    .on('GET', 'clusters', page())
    .on('GET', 'servers', page(server()))
    .on('POST', 'config/check', { problems: [], effective: [] })
  return open('/new-instance').then(() => api)
}

const createButton = () =>
  [...document.querySelectorAll<HTMLButtonElement>('main button')].find(
    (each) => each.textContent?.trim() === 'Create',
  )!

describe('the page of a new instance', () => {
  it('can be filled in when the template is there, and keeps what the template has besides', async () => {
    const answer = held<object>()
    await openWith(() => answer.promise)
    await field('Name')
    await import('@/components/config/ConfigEditor.vue')
    await nothingIsPending()
    expect(text()).not.toContain('Topic')
    expect(text()).not.toContain('Address')
    expect(createButton().disabled).toBe(true)

    answer.resolve([template])
    expect((await field('Address')).value).toBe('127.0.0.1:3306')
    await type('Address', 'db:3307')
    await type('Name', 'shop')

    expect((await field('Topic')).value).toBe('changes')
    expect(createButton().disabled).toBe(false)
  })

  it('begins with an empty configuration if there is no template', async () => {
    await openWith(new Refusal(500))
    expect((await field('Address')).value).toBe('')
    expect(createButton().disabled).toBe(false)
  })
})
