// @vitest-environment happy-dom
import { FakeEventSource } from '@/testing/fakeApi'
import { actions, changed, nothingChanged, open, press, says, seen, serverFor, tabs, text, type } from '@/testing/pages'
import { history, overview, page, server, summary } from '@/testing/samples'
import { describe, expect, it, vi } from 'vitest'
import type { FleetProblem, Role } from '@/api/types'

const problem: FleetProblem = {
  severity: 'error',
  instance: 'shop',
  serverId: 1,
  server: 'left',
  kind: 'failed',
  message: 'it has failed: PURGED',
  remedy: 'take a snapshot',
  since: '2026-03-01T10:00:00Z',
  group: 0,
  groupSize: 1,
  groupServer: 'left',
}
const unwritten = summary({ name: 'stock', healthy: false, cursorUnwrittenSeconds: 420 })

describe('the overview of the fleet', () => {
  it('shows problems with what to do, and follows the stream', async () => {
    serverFor('viewer').on('GET', 'overview', overview()).on('GET', 'history', history)
    await open('/')
    await says('No problems')

    FakeEventSource.send('/api/v2/events', 'overview', overview({ problems: [problem], problemCount: 1 }))

    await says('it has failed: PURGED')
    await says('What to do: take a snapshot')
    const link = await seen(() => document.querySelector('main a[href="/instances/shop"]'), 'link to the instance')
    expect(link.textContent?.trim()).toBe('shop')
    expect(text()).not.toContain('No problems')
  })

  it('names the kind of a problem in the language of the pages', async () => {
    serverFor('viewer').on('GET', 'overview', overview()).on('GET', 'history', history)
    await open('/', 'zh')
    await says('没有问题')

    FakeEventSource.send('/api/v2/events', 'overview', overview({ problems: [problem], problemCount: 1 }))

    await says('实例失败')
  })
})

describe('the number of instances', () => {
  it('has those that are paused or stalled, too', async () => {
    const instances = { ...overview().instances, running: 3, paused: 1, stalled: 1, failed: 1 }
    serverFor('viewer').on('GET', 'overview', overview({ instances })).on('GET', 'history', history)
    await open('/')
    await says('6 instances')
  })

  it('leads to those that are paused', async () => {
    const instances = { ...overview().instances, paused: 1 }
    serverFor('viewer')
      .on('GET', 'overview', overview({ instances }))
      .on('GET', 'history', history)
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(server()))
      .on('GET', 'instances', ({ query }: { query: URLSearchParams }) =>
        query.get('counted') === 'paused' && !query.has('state')
          ? page(summary({ name: 'held', paused: true }))
          : page(),
      )
    await open('/')
    const link = await seen(() => document.querySelector<HTMLElement>('a[href="/instances?state=paused"]'), 'link')

    link.click()

    await says('held')
  })
})

describe('the counts of instances', () => {
  it('lead to those that no server runs', async () => {
    const instances = { ...overview().instances, notHere: 1 }
    serverFor('viewer')
      .on('GET', 'overview', overview({ instances }))
      .on('GET', 'history', history)
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(server()))
      .on('GET', 'instances', ({ query }: { query: URLSearchParams }) =>
        query.get('counted') === 'not_here' ? page(summary({ name: 'orphan', state: 'not_here' })) : page(),
      )
    await open('/')
    const link = await seen(() => document.querySelector<HTMLElement>('a[href="/instances?state=not_here"]'), 'link')

    link.click()

    await says('orphan')
  })
})

describe('a page beyond the last of a list', () => {
  it('leads to the last one of instances', async () => {
    const api = serverFor('viewer').on('GET', 'clusters', []).on('GET', 'servers', page(server()))
    api.on('GET', 'instances', ({ query }: { query: URLSearchParams }) =>
      query.get('page') === '2'
        ? { items: [summary({ name: 'the-last' })], total: 51, page: 2, size: 50 }
        : { items: [], total: 51, page: Number(query.get('page')), size: 50 },
    )
    await open('/instances?page=7')

    await says('the-last')
    expect(text()).not.toContain('No instances yet')
  })

  it('leads to the last one of servers', async () => {
    serverFor('viewer')
      .on('GET', 'clusters', [])
      .on('GET', 'servers', ({ query }: { query: URLSearchParams }) =>
        query.get('page') === '3'
          ? { items: [], total: 51, page: 3, size: 50 }
          : { items: [server({ name: 'the-last' })], total: 51, page: 2, size: 50 },
      )
    await open('/servers?page=3')

    await says('the-last')
  })
})

describe('the rates of a server', () => {
  it('are not shown as 0 if it does not answer, or does not report them', async () => {
    const none = { rowsPerSecond: 0, bytesPerSecond: 0 }
    const lost = server({ ...none, state: 'unreachable', instances: 12, running: null })
    serverFor('viewer')
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(lost, server({ ...none, id: 2, kind: 'canal' })))
    await open('/servers')
    await says('left')

    expect([...document.querySelectorAll('td.number.wide')].map((each) => each.textContent)).toEqual(['–', '–'])
    expect(document.querySelector('td.number')?.textContent).toMatch(/–\s*of 12/)
  })
})

describe('the charts of the fleet', () => {
  it('are loaded again after an interruption of the stream', async () => {
    let loads = 0
    serverFor('viewer')
      .on('GET', 'overview', overview())
      .on('GET', 'history', () => {
        loads++
        return history
      })
    await open('/')
    await says('No problems')
    FakeEventSource.send('/api/v2/events', 'overview', overview())
    await seen(() => (loads === 1 ? true : undefined), 'first history')

    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    hidden.mockRestore()
    document.dispatchEvent(new Event('visibilitychange'))
    FakeEventSource.send('/api/v2/events', 'overview', overview())

    await seen(() => (loads === 2 ? true : undefined), 'second history')
  })
})

describe('a server that is managed by the protocol of canal', () => {
  it('has its log', async () => {
    serverFor('operator')
      .on('GET', 'servers/1', server({ kind: 'canal', controlUrl: null }))
      .on('GET', 'instances', page())
      .on('GET', 'history', history)
    await open('/servers/1')
    await says('left')

    expect(tabs()).toContain('Log')
  })
})

describe('problems', () => {
  it('that many instances have are told once, with the first of these instances', async () => {
    const away = (instance: string, more: object = {}) => ({
      severity: 'error' as const,
      instance,
      serverId: 1,
      server: 'left',
      kind: 'source',
      message: 'no progress for 33 s, stage source: Too many connections',
      remedy: 'raise max_connections',
      since: '2026-03-01T10:00:00Z',
      group: 0,
      groupSize: 212,
      groupServer: 'left',
      ...more,
    })
    const many = Array.from({ length: 12 }, (_, index) =>
      away(`many-${index}`, { message: `no progress for 1 min ${index} s, stage source: Too many connections` }),
    )
    const other = away('other', { message: 'denied', group: 1, groupSize: 1, groupServer: null })
    serverFor('viewer')
      .on('GET', 'overview', overview({ problems: [...many, other], problemCount: 300 }))
      .on('GET', 'history', history)
    await open('/')
    await says('300 problems')

    expect(text().split('Too many connections')).toHaveLength(2)
    expect(text()).toContain('and 207 moreleft')
    expect(text()).toContain('denied')
    expect(document.querySelector('a[href="/instances/many-4"]')).not.toBeNull()
    expect(document.querySelector('a[href="/instances/many-5"]')).toBeNull()
    await says('213 of 300 are shown')
  })
})

describe('the page of a server', () => {
  it('shows what the server reports to be wrong with itself', async () => {
    const api = serverFor('viewer')
      .on(
        'GET',
        'servers/1',
        server({
          clusterProblem: 'another server has the address: set canal.register.ip',
          restartKeys: ['kafka.acks'],
          instances: 3,
          running: 0,
        }),
      )
      .on('GET', 'instances', page())
      .on('GET', 'history', history)
    const pages = await open('/servers/1')
    await says('another server has the address: set canal.register.ip')
    await says('Instances here: 0 of 3')
    await says('Changed keys are not in force until the server is restarted')
    await says('kafka.acks')

    api.on('GET', 'servers/2', server({ id: 2, configurationProblem: 'canal.port: not a number' }))
    await pages.push('/servers/2')
    await says('The newest configuration is not in force')
    await says('canal.port: not a number')
  })
})

describe('the largest lag', () => {
  it('leads to the instance that has it', async () => {
    serverFor('viewer')
      .on('GET', 'overview', overview({ maxLagSeconds: 95 }))
      .on('GET', 'history', history)
    await open('/')
    await says('1 min 35 s')

    const link = await seen(() => document.querySelector('main a[href="/instances?sort=lag"]'), 'link to the list')
    expect(link.textContent).toContain('Largest lag')
  })
})

describe('the list of instances', () => {
  const instances = (role: Role) =>
    serverFor(role)
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(server()))
      .on('GET', 'instances', ({ query }: { query: URLSearchParams }) =>
        query.get('counted') === 'failed'
          ? page(summary({ name: 'lost', state: 'failed', healthy: false, problem: 'it has failed: PURGED' }))
          : page(summary(), unwritten),
      )

  it('warns of a cursor that is not written, of that instance only', async () => {
    instances('viewer')
    await open('/instances')

    await says('Cursor not written for 7 min')
    const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.textContent!)
    expect(rows.map((row) => row.includes('Cursor not written'))).toEqual([false, true])
  })

  it('shows how old what is not delivered is, although all was read', async () => {
    serverFor('viewer')
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(server()))
      .on('GET', 'instances', page(summary({ lagSeconds: 0, deliveryDelaySeconds: 95 })))
    await open('/instances')
    await says('1 min 35 s')
  })

  it('does not call an instance running that makes no progress, and shows no rates of one that is not known', async () => {
    serverFor('viewer')
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(server()))
      .on(
        'GET',
        'instances',
        page(
          summary({ name: 'stuck', healthy: false, problem: 'no progress for 4 min: broker', rowsPerSecond: 0 }),
          summary({
            name: 'lost',
            state: 'unknown',
            healthy: false,
            rowsPerSecond: 0,
            bytesPerSecond: 0,
            runningOnId: null,
          }),
        ),
      )
    await open('/instances')
    await says('no progress for 4 min: broker')

    const rows = [...document.querySelectorAll('tbody tr')]
    const cells = rows.map((row) => [...row.querySelectorAll('td')].slice(0, 3).map((cell) => cell.textContent?.trim()))
    expect(cells).toEqual([
      ['Unhealthy', '0', '8.79 KiB'],
      ['Unknown', '–', '–'],
    ])
  })

  it('has the filter in its address', async () => {
    instances('viewer')
    await open('/instances?state=failed')

    await says('it has failed: PURGED')
    expect(text()).not.toContain('stock')
  })

  it('offers no new instance to a viewer', async () => {
    instances('viewer')
    await open('/instances')
    await says('stock')
    expect(actions()).not.toContain('Create instance')
  })

  it('offers a new instance to an operator', async () => {
    instances('operator')
    await open('/instances')
    await says('stock')
    expect(actions()).toContain('Create instance')
  })
})

describe('a server', () => {
  const left = (role: Role) =>
    serverFor(role)
      .on('GET', 'servers/1', server())
      .on('GET', 'instances', page(summary()))
      .on('GET', 'history', history)
      .on('GET', 'clusters', [])
      .on('GET', 'servers', page(server()))

  it('sends what was edited only, so that what others have changed stays', async () => {
    const api = left('administrator')
    api.on('PATCH', 'servers/1', ({ body }: { body: unknown }) => server(body as object))
    await open('/servers/1')

    await press('Edit')
    await type('Name', 'renamed')
    api.on('GET', 'servers/1', server({ ip: '10.0.0.8', tcpPort: 4 })) // by another administrator
    await press('Save')

    expect(await changed('PATCH', 'servers/1')).toEqual({ name: 'renamed' })
  })

  it('is edited by administrators only', async () => {
    left('operator')
    await open('/servers/1')
    await says('10.0.0.7')

    expect(actions()).toContain('Actions')
    expect(actions()).not.toContain('Edit')
  })

  it('has no buttons for a viewer', async () => {
    left('viewer')
    await open('/servers/1')
    await says('10.0.0.7')

    expect(actions()).not.toContain('Actions')
    expect(actions()).not.toContain('Edit')
  })

  it('is stopped after a confirmation', async () => {
    left('operator').on('POST', 'servers/1/stop', { changed: true, message: null })
    await open('/servers/1')

    await press('Actions')
    await press('Stop all')
    await says('Stop all instances')
    await nothingChanged()
    await press('Stop')

    await changed('POST', 'servers/1/stop')
  })

  it('is not said to have accepted what has changed nothing', async () => {
    left('operator').on('POST', 'servers/1/start', { changed: false, message: null })
    await open('/servers/1')

    await press('Actions')
    await press('Start all')
    await press('Start')

    await says('Nothing was changed on left')
  })

  it('is added by an administrator', async () => {
    left('administrator').on('POST', 'servers', server({ id: 2, name: 'new' }))
    await open('/servers')

    await press('Add server')
    await type('Name', 'new')
    await type('Address', '10.0.0.9')
    await press('Save')

    expect(await changed('POST', 'servers')).toMatchObject({ name: 'new', ip: '10.0.0.9', controlToken: null })
  })
})
