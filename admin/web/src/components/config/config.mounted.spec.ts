// @vitest-environment happy-dom
import { FakeEventSource, Refusal } from '@/testing/fakeApi'
import {
  actions,
  changed,
  choose,
  field,
  nothingIsPending,
  open,
  press,
  says,
  seen,
  serverFor,
  text,
  type,
} from '@/testing/pages'
import { config, configKey, detail, history, page, server } from '@/testing/samples'
import { describe, expect, it, vi } from 'vitest'
import type { CheckResult, ConfigInput, Role } from '@/api/types'

const TEXT = 'canal.instance.master.address = db:3306\ncanal.instance.dbUsername = canal\n'
const checked = (more: Partial<CheckResult> = {}): CheckResult => ({ problems: [], effective: [], ...more })

async function openConfig(role: Role = 'operator', language: 'en' | 'zh' = 'en', check = checked()) {
  const api = serverFor(role)
    .on('GET', 'instances/shop', detail())
    .on('GET', 'history', new Refusal(404))
    .on('GET', 'instances/shop/config', config(TEXT))
    .on('GET', 'config/keys', [
      configKey('canal.instance.master.address', 'The MySQL server to read.'),
      configKey('canal.instance.dbUsername', 'The user of the login.'),
    ])
    .on('POST', 'config/check', check)
    .on('GET', 'templates', [])
    .on('GET', 'servers', page())
  await open('/instances/shop/config', language)
  await field(language === 'en' ? 'Address' : '地址')
  return api
}

const saves = (api: ReturnType<typeof serverFor>) =>
  api.changes.filter(({ method }) => method === 'PUT').map(({ body }) => body as ConfigInput)

const pageButton = (name: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('main button')].find((each) => each.textContent?.trim() === name)

const saveButton = () => [...document.querySelectorAll<HTMLButtonElement>('.el-dialog button')].at(-1)

/** Closes the streams of the page and opens them again, as a page that is hidden for a while does; then each has an event. */
async function restartStreams() {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  hidden.mockRestore()
  document.dispatchEvent(new Event('visibilitychange'))
  FakeEventSource.send('/api/v2/events', 'changed', { what: 'users' })
}

describe('the configuration of an instance', () => {
  it('is changed in the form, key by key, and saved as what it is based on', async () => {
    const api = await openConfig()
    api.on('PUT', 'instances/shop/config', ({ body }: { body: unknown }) =>
      config((body as ConfigInput).content, { version: 2, md5: '1'.repeat(32) }),
    )
    expect((await field('Address')).value).toBe('db:3306')
    expect(actions()).not.toContain('Discard changes')

    await type('Address', 'other:3307')
    await press('Save…')
    await type('Comment', 'a move')
    await press('Save')

    expect(await changed('PUT', 'instances/shop/config')).toEqual({
      content: TEXT.replace('db:3306', 'other:3307'),
      basedOn: 1,
      basedOnMd5: '0'.repeat(32),
      comment: 'a move',
    })
    await says('Version 2')
  })

  it('is not overwritten if another user has saved meanwhile', async () => {
    const api = await openConfig()
    const theirs = config(TEXT + 'canal.mq.topic = theirs\n', { version: 2, md5: '2'.repeat(32), modifiedBy: 'bob' })
    api
      .on('PUT', 'instances/shop/config', ({ body }: { body: unknown }) =>
        (body as ConfigInput).basedOn === 1
          ? new Refusal(409, { title: 'Conflict', currentVersion: 2 })
          : config((body as ConfigInput).content, { version: 3, md5: '3'.repeat(32) }),
      )
      .on('GET', 'instances/shop/config', theirs)

    await type('Address', 'other:3307')
    await press('Save…')
    await press('Save')
    await says('bob')
    expect(saves(api)).toHaveLength(1)
    await press('Save my text over it')
    await press('Save')

    await says('Version 3')
    expect(saves(api).map(({ basedOn, basedOnMd5 }) => [basedOn, basedOnMd5])).toEqual([
      [1, '0'.repeat(32)],
      [2, '2'.repeat(32)],
    ])
    expect(saves(api)[1]!.content).toContain('other:3307')
  })

  it('is replaced by what the other user has saved, if that is chosen', async () => {
    const api = await openConfig()
    const theirs = config(TEXT.replace('db:', 'theirs:'), { version: 2, md5: '2'.repeat(32), modifiedBy: 'bob' })
    api
      .on('PUT', 'instances/shop/config', new Refusal(409, { title: 'Conflict', currentVersion: 2 }))
      .on('GET', 'instances/shop/config', theirs)

    await type('Address', 'other:3307')
    await press('Save…')
    await press('Save')
    await press('Discard mine, edit theirs')

    await says('Version 2')
    expect((await field('Address')).value).toBe('theirs:3306')
    expect(saves(api)).toHaveLength(1)
  })

  it('says before saving that there is a newer version, and keeps what was typed', async () => {
    const api = await openConfig()
    await type('Address', 'other:3307')

    api.on('GET', 'instances/shop/config', config(TEXT, { version: 2, md5: '2'.repeat(32), modifiedBy: 'bob' }))
    FakeEventSource.send('/api/v2/events', 'changed', { what: 'config', id: 'shop', of: 'instance' })

    await says('bob')
    expect((await field('Address')).value).toBe('other:3307')
  })

  it('is loaded again after an interruption of the stream, in which another user may have saved', async () => {
    const api = await openConfig()
    const newer = config(TEXT.replace('db:', 'theirs:'), { version: 6, md5: '2'.repeat(32), modifiedBy: 'bob' })
    api.on('GET', 'instances/shop/config', newer)

    await restartStreams()

    await says('Version 6')
    expect((await field('Address')).value).toBe('theirs:3306')
  })

  it('is kept while it is edited, and cannot be saved, if another user takes the instance away and back', async () => {
    const api = await openConfig()
    const events = '/api/v2/instances/shop/events'
    await type('Address', 'other:3307')

    FakeEventSource.send(events, 'instance', detail({ managed: false }))
    await says('The instance was deleted meanwhile')
    expect((await field('Address')).value).toBe('other:3307')
    expect(pageButton('Save…')).toHaveProperty('disabled', true)

    const again = config(TEXT.replace('db:', 'theirs:'), { md5: '2'.repeat(32), modifiedBy: 'bob' })
    api.on('GET', 'instances/shop/config', again)
    FakeEventSource.send(events, 'instance', detail())
    await says('Version 1 was saved by bob in the meantime')
    expect((await field('Address')).value).toBe('other:3307')
    expect(pageButton('Save…')).toHaveProperty('disabled', false)
  })

  it('is kept while it is edited if the instance is gone, until the changes are discarded', async () => {
    const api = await openConfig()
    await type('Address', 'other:3307')

    const gone = new Refusal(404, { title: 'Not Found', detail: 'gone' })
    api.on('GET', 'instances/shop', gone).on('GET', 'instances/shop/config', gone)
    FakeEventSource.lose('/api/v2/instances/shop/events')
    await says('There is no instance shop')
    await says('The instance was deleted meanwhile')
    expect((await field('Address')).value).toBe('other:3307')

    api.on('GET', 'instances/shop', detail()).on('GET', 'instances/shop/config', config(TEXT, { md5: '2'.repeat(32) }))
    FakeEventSource.send('/api/v2/events', 'changed', { what: 'instances', id: 'shop' })
    await says('Running')
    expect(text()).not.toContain('The instance was deleted meanwhile')
    expect((await field('Address')).value).toBe('other:3307')

    api.on('GET', 'instances/shop', gone).on('GET', 'instances/shop/config', gone)
    FakeEventSource.lose('/api/v2/instances/shop/events')
    await says('The instance was deleted meanwhile')
    await press('Discard changes')
    await seen(() => (text().includes('deleted meanwhile') ? undefined : true), 'page without the changes')
    expect(text()).toContain('There is no instance shop')
  })

  it('shows why a save was refused if what is stored now cannot be loaded', async () => {
    const api = await openConfig()
    api
      .on('PUT', 'instances/shop/config', new Refusal(409, { title: 'Conflict', detail: 'It was deleted meanwhile.' }))
      .on('GET', 'instances/shop/config', new Refusal(404, { title: 'Not Found', detail: 'gone' }))
    await type('Address', 'other:3307')
    await press('Save…')
    await press('Save')

    await says('It was deleted meanwhile.')
    expect(text()).not.toContain('Another user has saved a version')
    expect((await field('Address')).value).toBe('other:3307')
  })

  it('with errors is saved by administrators only, after they have confirmed it', async () => {
    const check = checked({
      problems: [{ severity: 'error', key: 'canal.instance.master.address', line: 1, message: 'it is no address' }],
    })
    const api = await openConfig('administrator', 'en', check)
    api.on('PUT', 'instances/shop/config', config('x', { version: 2 }))
    await type('Address', '???')
    await says('it is no address')

    await press('Save…')
    await says('The configuration has one error')
    expect(saveButton()).toHaveProperty('disabled', true)
    await choose('Save although it has errors')
    await press('Save')

    expect(await changed('PUT', 'instances/shop/config')).toMatchObject({ force: true })
  })

  it('shows the problem of a field at the field', async () => {
    const check = checked({
      problems: [{ severity: 'error', key: 'canal.instance.master.address', line: 1, message: 'it is no address' }],
    })
    await openConfig('operator', 'en', check)

    await says('it is no address')
    const input = await field('Address')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(input.getAttribute('aria-describedby')!)?.textContent).toContain('it is no address')
  })

  it('has its help in Chinese on a Chinese page', async () => {
    await openConfig('operator', 'zh')

    await says('要读取的 MySQL 或 MariaDB 服务器')
    expect(text()).not.toContain('The MySQL server to read.')
  })

  it('is not shown to a viewer', async () => {
    const api = serverFor('viewer').on('GET', 'instances/shop', detail()).on('GET', 'history', new Refusal(404))
    api.on('GET', 'instances/shop/config', new Refusal(403))
    await open('/instances/shop/config')

    await says('binlog.000012')
    expect(text()).not.toContain('Configuration')
  })
})

describe('the configuration of a server', () => {
  it('is kept while it is edited if another user has the server join a cluster', async () => {
    const api = serverFor('operator')
      .on('GET', 'servers/1', server())
      .on('GET', 'servers/1/config', config('canal.port = 11111\n'))
      .on('GET', 'instances', page())
      .on('GET', 'history', history)
      .on('GET', 'config/keys', [])
      .on('POST', 'config/check', checked())
      .on('GET', 'templates', [
        { name: 'kafka', kind: 'server', content: 'canal.serverMode = kafka\n', md5: '', builtIn: true },
      ])
    await open('/servers/1/config')
    await press('From a template')
    await press('kafka')
    await says('canal.serverMode')

    api.on('GET', 'servers/1', server({ clusterId: 5, clusterName: 'pair' }))
    FakeEventSource.send('/api/v2/events', 'changed', { what: 'servers', id: '1' })
    await says('The server uses the canal.properties of its cluster now')
    await says('canal.serverMode')
    expect(pageButton('Save…')).toHaveProperty('disabled', true)
    await press('Discard changes')
    await seen(() => (text().includes('canal.serverMode') ? undefined : true), 'page without the changes')
  })
})

describe('where tables go', () => {
  it('is shown only for the cluster or server that it was asked for', async () => {
    const api = serverFor('operator')
      .on('GET', 'templates', [])
      .on('GET', 'config/keys', [])
      .on('POST', 'config/check', checked())
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(server(), server({ id: 2, name: 'right' })))
      .on('POST', 'config/route', [{ table: 'shop.orders', accepted: true, topics: ['left-topic'], partition: null }])
    await open('/new-instance')
    await type('Belongs to', 'server 1')
    await type('Tables (schema.table)', 'shop.orders')
    const buttons = document.querySelectorAll<HTMLElement>('[aria-labelledby="route-title"] button')
    await seen(() => ([...buttons].at(-1)?.hasAttribute('disabled') ? undefined : true), 'button that can be pressed')
    ;[...buttons].at(-1)!.click()
    await says('left-topic')

    await type('Belongs to', 'server 2')
    await nothingIsPending()

    expect(text()).not.toContain('left-topic')
    expect(api.changes.filter(({ path }) => path.endsWith('/config/route'))).toHaveLength(1)
  })
})

describe('the configuration of a cluster', () => {
  it('can be written where there is none yet, as of a cluster that was taken over', async () => {
    const api = serverFor('operator')
      .on('GET', 'clusters/5', { id: 5, name: 'pair', zkHosts: 'zk:2181', servers: 1, instances: 0, modified: null })
      .on(
        'GET',
        'clusters/5/config',
        new Refusal(404, { title: 'Not Found', detail: 'There is no configuration yet.' }),
      )
      .on('GET', 'config/keys', [])
      .on('POST', 'config/check', checked())
      .on('GET', 'templates', [
        { name: 'kafka', kind: 'cluster', content: 'canal.serverMode = kafka\n', md5: '', builtIn: true },
      ])
      .on('GET', 'servers', page())
      .on('PUT', 'clusters/5/config', ({ body }: { body: unknown }) => config((body as ConfigInput).content))
    await open('/clusters/5')

    await says('There is no configuration yet')
    await press('From a template')
    await press('kafka')
    await press('Save…')
    await press('Save')

    expect(await changed('PUT', 'clusters/5/config')).toMatchObject({
      content: 'canal.serverMode = kafka\n',
      basedOn: 0,
    })
    await says('Version 1')
    expect(api.changes.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })
})
