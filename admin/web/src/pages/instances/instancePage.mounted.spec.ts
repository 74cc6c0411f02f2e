// @vitest-environment happy-dom
import { FakeEventSource, held, Refusal } from '@/testing/fakeApi'
import {
  actions,
  changed,
  choose,
  field,
  nothingChanged,
  nothingIsPending,
  open,
  press,
  says,
  seen,
  serverFor,
  tabs,
  text,
  type,
} from '@/testing/pages'
import { detail, history, page, server, summary } from '@/testing/samples'
import { describe, expect, it } from 'vitest'
import type { InstanceDetail, Role } from '@/api/types'

async function openShop(role: Role, shown: InstanceDetail, language: 'en' | 'zh' = 'en') {
  const api = serverFor(role).on('GET', 'instances/shop', shown).on('GET', 'history', history)
  api.on('POST', 'instances/shop/actions/{action}', { changed: true, message: null })
  await open('/instances/shop', language)
  await says('binlog.000012')
  return api
}

describe('the page of an instance', () => {
  it('shows its position and its lag, and follows the stream', async () => {
    await openShop('viewer', detail())

    await says('binlog.000012:4711')
    await says('db:3306')
    FakeEventSource.send(
      '/api/v2/instances/shop/events',
      'instance',
      detail(
        { lagSeconds: 1, deliveryDelaySeconds: 77 },
        {
          position: {
            source: 'db:3306',
            file: 'binlog.000013',
            offset: 4,
            gtidSet: 'a:1-7',
            gtidSetCharacters: null,
            time: null,
          },
        },
      ),
    )

    await says('binlog.000013:4')
    await says('a:1-7')
    await says('1 min 17 s')
    expect(text()).not.toContain('binlog.000012')
  })

  it('shows how long a GTID set is that the server has left out', async () => {
    await openShop(
      'viewer',
      detail(
        {},
        {
          position: {
            source: 'db:3306',
            file: 'binlog.000012',
            offset: 4711,
            gtidSet: null,
            gtidSetCharacters: 3145728,
            time: null,
          },
        },
      ),
    )

    await says('left out, 3,145,728 characters')
  })

  it('offers nothing to a viewer', async () => {
    await openShop('viewer', detail())

    expect(actions()).toEqual(['Instances', 'left', 'Copy'])
    expect(tabs()).toEqual(['Stream', 'Tables', 'Errors'])
  })

  it('stops it after a confirmation', async () => {
    const api = await openShop('operator', detail())

    await press('Actions')
    await press('Stop')
    await says('Stop shop?')
    await nothingChanged()
    await press('Stop')

    await changed('POST', 'instances/shop/actions/stop')
    expect(api.changes).toHaveLength(1)
  })

  it('starts one that is stopped, and says what was not done', async () => {
    const api = await openShop('operator', detail({ state: 'stopped', runningOn: null, runningOnId: null }))
    api.on('POST', 'instances/shop/actions/start', {
      changed: true,
      message: 'Not done on all servers: right is away.',
    })

    await press('Start')
    await says('Start shop?')
    await press('Start')

    await changed('POST', 'instances/shop/actions/start')
    await says('Not done on all servers: right is away.')
  })

  it('keeps the question open with the reason of a refusal', async () => {
    const api = await openShop('operator', detail({ state: 'stopped' }))
    api.on(
      'POST',
      'instances/shop/actions/start',
      new Refusal(409, { title: 'Conflict', detail: 'The server is away.' }),
    )

    await press('Start')
    await says('Start shop?')
    await press('Start')

    await says('The server is away.')
    expect(actions()).toContain('Cancel')
  })

  it('offers to stop one that no server runs', async () => {
    await openShop('operator', detail({ state: 'not_here', healthy: false, runningOn: null, runningOnId: null }))

    await press('Actions')
    await press('Stop')
    await press('Stop')

    await changed('POST', 'instances/shop/actions/stop')
  })

  it('pauses it with a reason, at a position', async () => {
    const api = await openShop('operator', detail())
    api.on('POST', 'instances/shop/pause', { changed: true, message: null })

    await press('Pause')
    await type('Reason', 'a migration')
    await choose('Binlog position')
    await type('Binlog position', 'binlog.000012:9000')
    await press('Pause')

    expect(await changed('POST', 'instances/shop/pause')).toEqual({
      position: 'binlog.000012:9000',
      reason: 'a migration',
    })
  })

  it('resumes one that is paused, and shows why it is', async () => {
    await openShop(
      'operator',
      detail({ paused: true }, { pauseReason: 'a migration', pausedSince: '2026-03-01T09:00:00Z' }),
    )
    await says('a migration')

    await press('Resume')
    await says('Resume shop?')
    await press('Resume')

    await changed('POST', 'instances/shop/actions/resume')
  })

  it('moves the cursor only as it was forecast, also if the point is changed while the forecast is made', async () => {
    const api = await openShop('administrator', detail())
    const forecast = held<object>()
    api.on('POST', 'instances/shop/cursor', ({ body }: { body: { position: string } }) =>
      body.position === 'newest' ? { lines: ['42 transactions would never be sent'] } : forecast.promise,
    )
    await press('Actions')
    await press('Rewind or skip')
    await choose('Binlog position')
    await type('Binlog position', 'binlog.000012:4')
    await press('Dry run')
    await changed('POST', 'instances/shop/cursor')

    await type('Binlog position', 'newest')
    forecast.resolve({ lines: ['3 transactions would be sent again'] })
    await nothingIsPending()
    expect(text()).not.toContain('3 transactions would be sent again')
    await press('Dry run')

    await says('42 transactions would never be sent')
    await press('Move the cursor')
    await seen(() => api.changes[2], 'third call')
    expect(api.changes.map(({ body }) => body)).toEqual([
      { position: 'binlog.000012:4', dryRun: true, restart: true },
      { position: 'newest', dryRun: true, restart: true },
      { position: 'newest', dryRun: false, restart: true },
    ])
  })

  it('keeps the point as it is while its forecast is made', async () => {
    const api = await openShop('administrator', detail())
    api.on('POST', 'instances/shop/cursor', () => new Promise(() => undefined))
    await press('Actions')
    await press('Rewind or skip')
    await choose('Binlog position')
    await type('Binlog position', 'binlog.000012:4')
    await press('Dry run')
    await changed('POST', 'instances/shop/cursor')

    expect(await field('Binlog position')).toHaveProperty('disabled', true)
    expect(actions()).not.toContain('Close this dialog')
  })

  it('is moved although its server does not answer only after that was confirmed', async () => {
    const api = await openShop('operator', detail())
    api
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(server(), server({ id: 2, name: 'right' })))
      .on('PUT', 'instances/shop', ({ body }: { body: { force?: boolean } }) =>
        body.force ? summary({ serverId: 2 }) : new Refusal(409, { title: 'Conflict', detail: 'left does not answer' }),
      )
    await press('Actions')
    await press('Move')
    await type('Belongs to', 'server 2')
    await press('Move')
    await says('left does not answer')

    await type('Type shop to confirm', 'shop')
    await press('Move')

    await seen(() => api.changes[1], 'second call')
    expect(api.changes.map(({ body }) => body)).toEqual([
      { clusterId: null, serverId: 2 },
      { clusterId: null, serverId: 2, force: true },
    ])
  })

  it('warns of a cursor that is not written', async () => {
    await openShop('viewer', detail({ cursorUnwrittenSeconds: 420, healthy: false }))
    await says('Cursor not written for 7 min')
    await says('Look at the disk of the server or at ZooKeeper')
  })

  it('warns of it in Chinese', async () => {
    await openShop('viewer', detail({ cursorUnwrittenSeconds: 420, healthy: false }), 'zh')
    await says('位点已有 7 分钟未能写入')
    await says('检查服务端的磁盘或 ZooKeeper')
  })

  it('does not warn of a cursor that is written', async () => {
    await openShop('viewer', detail({ cursorUnwrittenSeconds: 9 }))
    await says('CursorWritten')
    expect(text()).not.toContain('Cursor not written')
  })

  it('shows what to do next to an error whose message is long, and the message in full when asked', async () => {
    const message = `it was purged, without the transactions ${'3e11fa47-71ca-11e1-9e33-c80aa9429562:1-7,'.repeat(100)}the-last-one`
    const error = {
      time: '2026-03-01T10:00:00Z',
      times: 3,
      part: 'source',
      kind: 'purged',
      message,
      remedy: 'load it again',
    }
    await openShop('viewer', detail({ state: 'failed', healthy: false, problem: 'it has failed' }, { errors: [error] }))

    await says('What to do: load it again')
    expect(text()).not.toContain('the-last-one')
    await press('Show all')
    await says('1-7,the-last-one')
  })

  it('shows the error of a problem once, also if the problem has the beginning of it only', async () => {
    const error = { time: '2026-03-01T10:00:00Z', times: 3, part: 'source', kind: 'purged', remedy: 'load it again' }
    const long = `the binlog was purged ${'a:1-7,'.repeat(60)}`
    const shown = (problem: string, message: string) =>
      detail({ state: 'failed', healthy: false, problem }, { errors: [{ ...error, message }] })
    await openShop('viewer', shown('it has failed: connection refused', 'connection refused'))
    const notice = () => document.querySelector('.notice.error')!.textContent!.replace(/\s+/g, ' ').trim()

    expect(notice()).toBe('it has failedconnection refusedWhat to do: load it again')
    FakeEventSource.send(
      '/api/v2/instances/shop/events',
      'instance',
      shown(`it has failed: ${long.slice(0, 300)}…`, long),
    )
    await says('the binlog was purged')
    expect(notice().match(/was purged/g)).toHaveLength(1)
  })

  it('says that a limit is a reason of its lag', async () => {
    await openShop('viewer', detail({ lagSeconds: 95 }, { limits: { rowsPerSecond: 20, bytesPerSecond: 0 } }))
    await says('Delivery is limited to 20 rows/s')
  })

  it('limits rows per second in words of the field', async () => {
    await openShop('viewer', detail({}, { limits: { rowsPerSecond: 20, bytesPerSecond: 0 } }))
    await says('20 rows/s')
  })

  it('sends the limit that was edited only, since the other one may have been changed meanwhile', async () => {
    const api = await openShop('operator', detail({}, { limits: { rowsPerSecond: 0, bytesPerSecond: 1_000_000 } }))
    api.on('PUT', 'instances/shop/limits', { changed: true, message: null })
    await press('Actions')
    await press('Limit rates')
    await type('Rows per second (0: not limited)', '1000')
    await press('Apply')

    expect(await changed('PUT', 'instances/shop/limits')).toEqual({ rowsPerSecond: 1000 })
  })

  it('says that there is none of that name', async () => {
    serverFor('viewer').on('GET', 'instances/gone', new Refusal(404)).on('GET', 'history', new Refusal(404))
    await open('/instances/gone')

    await says('There is no instance gone')
  })
})
