// A simulated fleet for the development of the pages: nothing here is real, and none of it is in the package.

const SCHEMAS = ['shop', 'till', 'billing', 'stock', 'crm', 'ledger', 'wiki', 'forum']
const TABLES = ['orders', 'order_items', 'customers', 'invoices', 'payments', 'products', 'prices', 'sessions']
const UUID = '3e11fa47-71ca-11e1-9e33-c80aa9429562'
const started = Date.now()

export const now = () => new Date().toISOString().replace(/\.\d+Z/, 'Z')
export const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+Z/, 'Z')

/** A number between 0 and 1 that depends on its seed only. */
export function fixed(seed) {
  const x = Math.sin(seed * 12.9898 + 78.233) * 43758.5453
  return x - Math.floor(x)
}

export const clusters = [
  { id: 1, name: 'payments-eu', zkHosts: 'zk1.eu:2181,zk2.eu:2181,zk3.eu:2181/sluice', modified: ago(86400 * 3) },
  { id: 2, name: 'shop-us', zkHosts: 'zk1.us:2181', modified: ago(86400 * 40) },
]

export const servers = [
  server(1, 'eu-1', '10.0.1.11', 1, 'running'),
  server(2, 'eu-2', '10.0.1.12', 1, 'running'),
  server(3, 'eu-3', '10.0.1.13', 1, 'unreachable', 'connect to 10.0.1.13:11113 timed out after 3 s; check that the server runs and that its port is open'),
  server(4, 'us-1', '10.2.0.11', 2, 'running'),
  server(5, 'us-2', '10.2.0.12', 2, 'running'),
  server(6, 'legacy', '10.9.0.4', null, 'running', null, 'canal'),
  server(7, 'lab', '10.9.0.9', null, 'unauthorized', 'the control API answers 401; enter its token (canal.control.token) in the settings of this server'),
]

function server(id, name, ip, clusterId, state, stateDetail = null, kind = 'sluice') {
  return {
    id, name, ip, adminPort: 11110, tcpPort: 11111, metricPort: 11112, clusterId,
    controlUrl: kind === 'canal' ? null : `https://${ip}:11113`, hasControlToken: kind !== 'canal', kind, state, stateDetail, configurationProblem: null, clusterProblem: null, restartKeys: [],
    version: state === 'running' ? (kind === 'canal' ? '1.1.8' : '0.1.0') : null, lastSeen: ago(state === 'running' ? 1 : 740),
  }
}

export const text = (name) => `# The configuration of ${name}.

# ---------------------------------------------------------------- the MySQL server to read

canal.instance.master.address = mysql-${name}.internal:3306
canal.instance.dbUsername = canal
# Best given from outside, as the environment variable canal.instance.dbPassword.
canal.instance.dbPassword = \${file:/run/secrets/${name}}

# ---------------------------------------------------------------- where to begin

canal.instance.master.journal.name =
canal.instance.master.position =
canal.instance.gtidon = false

# ---------------------------------------------------------------- which tables

canal.instance.filter.regex = shop\\\\..*,till\\\\.(orders|items),\\
    billing\\\\.invoices
canal.instance.filter.black.regex = mysql\\\\.slave_.*

# ---------------------------------------------------------------- which topic and partition

canal.mq.topic = ${name}
canal.mq.dynamicTopic = orders:shop\\\\.order_.*
#canal.mq.partitionHash = .*\\\\..*:$pk$
canal.mq.partitionsNum = 3
`

export const canalText = `# canal.properties
canal.port = 11111
canal.metrics.pull.port = 11112
canal.zkServers = zk1.eu:2181
canal.serverMode = kafka
kafka.bootstrap.servers = kafka1:9092,kafka2:9092
`

/** All instances; the first ones show each state. */
export function makeInstances(number) {
  const special = [
    ['orders', 'running', {}],
    ['invoices', 'failed', { problem: 'binlog file mysql-bin.000811 was purged by the source before it was read', remedy: 'Rewind to the oldest position, or take a snapshot of the tables and skip to the newest.' }],
    ['payments', 'retrying', { problem: 'Kafka broker kafka2:9092 is unreachable: Connection refused', remedy: 'Start the broker, or correct kafka.bootstrap.servers.' }],
    ['ledger', 'running', { stalled: true, problem: 'no progress for 4 minutes although 812 entries wait: the broker does not acknowledge' , remedy: 'Look at the broker; restart the instance if it is healthy.' }],
    ['sessions', 'running', { paused: true, pauseReason: 'maintenance of the broker until 14:00' }],
    ['archive', 'stopped', {}],
    ['sandbox', 'disabled', {}],
    ['crm', 'unknown', { problem: 'server eu-3 does not answer', serverId: 3 }],
    ['from-files', 'running', { managed: false, serverId: 6 }],
    ['audit-trail', 'running', { cursorUnwrittenSeconds: 420 }],
  ]
  return Array.from({ length: number }, (_, i) => {
    const [name, state, more] = special[i] ?? [`${SCHEMAS[i % 8]}-${TABLES[(i >> 3) % 8]}-${String(i).padStart(3, '0')}`, 'running', {}]
    const on = more.serverId ?? [1, 2, 4, 5][i % 4]
    const clusterId = servers[on - 1].clusterId
    return {
      seed: i + 1, name, state, on, clusterId, paused: false, managed: true, enabled: state !== 'disabled', problem: null, remedy: null,
      stalled: false, cursorUnwrittenSeconds: 0, pauseReason: null, limits: { rowsPerSecond: 0, bytesPerSecond: 0 }, pauseAt: null,
      versions: [{ version: 1, content: text(name), time: ago(86400 * 9), user: 'admin', comment: 'Created' }], ...more,
    }
  })
}

const works = (instance) => instance.state === 'running' && !instance.paused && !instance.stalled

/** Rows per second at a time, as a slow wave with noise. */
export function rate(instance, at = Date.now() / 1000) {
  if (!works(instance)) return 0
  const base = instance.seed === 1 ? 42000 : 40 + 4000 * fixed(instance.seed) ** 4
  return Math.round(base * (1 + 0.35 * Math.sin(at / 90 + instance.seed) + 0.12 * (fixed(Math.floor(at) + instance.seed) - 0.5)))
}

export function lag(instance, at = Date.now() / 1000) {
  if (instance.state === 'retrying') return 95 + Math.round((at - started / 1000) % 600)
  if (instance.stalled || instance.paused) return 240 + Math.round(at - started / 1000)
  if (instance.state !== 'running') return null
  return fixed(instance.seed + Math.floor(at / 7)) > 0.93 ? 2 : 0
}

export function summary(instance) {
  const server = servers[instance.on - 1]
  const runs = ['running', 'retrying', 'failed'].includes(instance.state)
  const cluster = clusters.find(({ id }) => id === instance.clusterId)
  const healthy = (instance.state === 'running' && !instance.stalled && !instance.cursorUnwrittenSeconds) || ['disabled', 'stopped'].includes(instance.state)
  return {
    name: instance.name, managed: instance.managed, enabled: instance.enabled, clusterId: cluster?.id ?? null, clusterName: cluster?.name ?? null,
    serverId: cluster ? null : server.id, serverName: cluster ? null : server.name, runningOn: runs ? server.name : null, runningOnId: runs ? server.id : null,
    state: instance.state, healthy, paused: instance.paused, rowsPerSecond: rate(instance), bytesPerSecond: rate(instance) * 212,
    lagSeconds: lag(instance), lagBytes: lag(instance) === null ? null : lag(instance) * 180000, deliveryDelaySeconds: lag(instance),
    cursorUnwrittenSeconds: runs ? instance.cursorUnwrittenSeconds : null,
    problem: instance.problem, asOf: instance.state === 'unknown' ? ago(740) : now(),
  }
}

export function detail(instance) {
  const is = summary(instance)
  const r = is.rowsPerSecond
  const back = instance.state === 'retrying' || instance.stalled
  const off = !['running', 'retrying'].includes(instance.state)
  const stage = (name, state, rate, rateUnit, depth, depthUnit, capacity, detail = null) => ({ name, state: off ? (instance.state === 'failed' && name === 'source' ? 'failed' : 'unknown') : state, rate: off ? null : rate, rateUnit, depth: off ? null : depth, depthUnit, capacity, detail })
  return {
    summary: is,
    stages: [
      stage('source', back ? 'waiting' : 'ok', r * 212, 'bytes', is.lagBytes, 'bytes', null, instance.state === 'failed' ? 'binlog file was purged' : null),
      stage('parser', back || instance.paused ? 'waiting' : 'ok', r, 'rows', Math.round(fixed(Date.now() / 1000) * 6), 'batches', 16),
      stage('store', back || instance.paused ? 'full' : 'ok', r, 'rows', back || instance.paused ? 16384 : Math.round(400 + 300 * Math.sin(Date.now() / 4000)), 'entries', 16384),
      stage('sink', instance.paused ? 'paused' : instance.stalled ? 'stalled' : back ? 'failed' : r ? 'ok' : 'waiting', r, 'rows', back ? 128 : Math.round(4 + 3 * fixed(Date.now() / 1000)), 'batches', 128, back ? 'kafka2:9092: Connection refused' : null),
    ],
    position: off ? null : { source: `mysql-${instance.name}.internal:3306`, file: 'mysql-bin.000812', offset: Math.round((Date.now() - started) * 21 + 15_000_000), gtidSet: `${UUID}:1-${Math.round(Date.now() / 100)},7b1d04f2-0a6e-4c52-8f0f-0242ac110002:1-88412,9c2e15a3-1b7f-4d63-90a0-0242ac110003:1-1200`, gtidSetCharacters: null, time: ago(is.lagSeconds ?? 0) },
    limits: instance.limits, pauseReason: instance.pauseReason, pausedSince: instance.paused ? ago(2400) : null, pauseAt: instance.pauseAt, newestEvent: now(),
    deliveredRows: 812_331_402 + Math.round((Date.now() - started) / 10), deliveredBytes: 172_214_257_224, deliveredMessages: 4_211_004,
    configurationProblem: null, retryAt: instance.state === 'retrying' ? ago(-12) : null, errors: errors(instance).slice(0, 3),
    servers: servers.filter(({ clusterId, id }) => (instance.clusterId ? clusterId === instance.clusterId : id === instance.on)).map(({ id, name, state }) => ({ serverId: id, serverName: name, state: state === 'running' ? (id === instance.on ? instance.state : 'not_here') : 'unknown', running: id === instance.on && !off })),
    capabilities: instance.on === 6 ? ['start', 'stop', 'log'] : ['start', 'stop', 'restart', 'release', 'pause', 'resume', 'reload', 'limit', 'cursor', 'changes', 'tables', 'errors', 'log'],
  }
}

export function errors(instance) {
  if (!instance.problem) return []
  return [
    { time: ago(12), times: 14, part: instance.state === 'failed' ? 'source' : 'delivery', kind: instance.state === 'failed' ? 'PURGED' : 'UNREACHABLE', message: `${instance.problem}\n  at partition 3 of topic ${instance.name}\n  <b>not bold</b>: texts are never HTML`, remedy: instance.remedy },
    { time: ago(86400), times: 1, part: 'source', kind: 'CONNECTION', message: 'connection to mysql:3306 was closed by the source', remedy: 'None, if it happens once; the instance reconnects.' },
  ]
}

export function tables(instance) {
  const rows = []
  for (const schema of SCHEMAS.slice(0, 4)) {
    for (const table of TABLES) {
      const x = fixed(instance.seed + schema.length * 7 + table.length)
      rows.push({ schema, table, inserts: Math.round(x * 9e6) + Math.round((Date.now() - started) / 40), updates: Math.round(x * 4e6), deletes: Math.round(x * 9e4), bytes: Math.round(x * 2e9), lastChange: ago(Math.round(x * 300)) })
    }
  }
  return { tables: rows, others: { schema: null, table: null, inserts: 12, updates: 3, deletes: 0, bytes: 2311, lastChange: ago(4000) } }
}

export function change(shown, table) {
  const n = Math.round(Date.now() / 10)
  const mask = (value) => (shown ? value : value === null ? null : '•••')
  const [schema, name] = (table ?? `shop.${TABLES[n % 8]}`).split('.')
  const kind = ['INSERT', 'UPDATE', 'UPDATE', 'DELETE'][n % 4]
  const image = (status) => ({ id: mask(String(n)), status: mask(status), note: mask(n % 3 ? '<img src=x onerror=alert(1)>' : null), amount: mask('12.50') })
  return { time: now(), schema, table: name ?? 'orders', kind, sql: null, key: mask(String(n)), before: kind === 'INSERT' ? null : image('new'), after: kind === 'DELETE' ? null : image('paid'), position: `mysql-bin.000812:${n % 1e9}` }
}

export const logLines = (number, name) =>
  Array.from({ length: number }, (_, i) => `${ago(number - i)} ${i % 37 === 5 ? 'WARN ' : i % 53 === 7 ? 'ERROR' : 'INFO '} [${name}] ${i % 37 === 5 ? 'broker refused a record, rolling back: batch=81' : i % 53 === 7 ? 'delivery failed: Connection refused' : `checkpoint: position=mysql-bin.000812:${15000 + i * 77}`}`)
