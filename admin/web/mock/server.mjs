// A server for the development of the pages: the API of openapi.json with a simulated fleet, and the built pages.
//
//   npm run mock                 listens on 127.0.0.1:18089; `npm run dev` sends /api there
//   FLEET=1000 npm run mock      with 1,000 instances
//   PORT=… ROLE=viewer …         another port, or another role for everybody
//
// User admin, password admin-admin; user first must change the initial password. Nothing is stored.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fleet from './fleet.mjs'
import { keys } from './keys.mjs'

const PORT = Number(process.env.PORT ?? 18089)
const DIST = fileURLToPath(new URL('../dist', import.meta.url))
const CSP = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

const instances = fleet.makeInstances(Number(process.env.FLEET ?? 240))
const users = [
  user('admin', 'Ada Admin', 'administrator'), user('op', 'Otto Operator', 'operator'), user('view', 'Vera Viewer', 'viewer'),
  { ...user('first', 'Fred First', 'operator'), mustChangePassword: true, lastLogin: null }, { ...user('old', 'Olga Old', 'viewer'), disabled: true },
]
function user(name, displayName, role) {
  return { name, displayName, role, source: name === 'view' ? 'oidc' : 'local', disabled: false, mustChangePassword: false, created: fleet.ago(8e6), lastLogin: fleet.ago(4000) }
}
const templates = [
  { name: 'Kafka, one topic', kind: 'instance', content: fleet.text('template'), builtIn: true },
  { name: 'canal.properties', kind: 'cluster', content: fleet.canalText, builtIn: true },
  { name: 'Our shops', kind: 'instance', content: fleet.text('shop'), builtIn: false },
].map((each) => ({ ...each, md5: '0'.repeat(32) }))
const canal = new Map()
const sessions = new Map()
const streams = new Set()
let failures = 0

class Refusal extends Error {
  constructor(status, title, detail, more = {}) {
    super(detail)
    this.problem = { status, title, detail, ...more }
  }
}
const find = (list, test, what) => list.find(test) ?? (() => { throw new Refusal(404, 'Not found', `there is no ${what}`) })()
const instanceOf = (name) => find(instances, (each) => each.name === name, `instance ${name}`)
const serverOf = (id) => find(fleet.servers, (each) => each.id === Number(id), `server ${id}`)
const fullServer = (server) => {
  const own = instances.filter((each) => each.on === server.id)
  const rows = own.reduce((sum, each) => sum + fleet.rate(each), 0)
  return { ...server, lastSeen: server.state === 'running' ? fleet.now() : server.lastSeen, clusterName: fleet.clusters.find(({ id }) => id === server.clusterId)?.name ?? null, instances: own.length, running: own.length, unhealthy: own.filter((each) => !fleet.summary(each).healthy).length, rowsPerSecond: rows, bytesPerSecond: rows * 212 }
}
const fullCluster = (cluster) => ({ ...cluster, servers: fleet.servers.filter((each) => each.clusterId === cluster.id).length, instances: instances.filter((each) => each.clusterId === cluster.id).length })
const pageOf = (items, query) => {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('size') ?? 50)]
  return { items: items.slice((page - 1) * size, page * size), total: items.length, page, size }
}

function overview() {
  const all = instances.map(fleet.summary)
  const number = (test) => all.filter(test).length
  const problems = [
    ...fleet.servers.filter(({ state }) => state !== 'running').map((server) => ({ severity: 'error', instance: null, serverId: server.id, server: server.name, kind: server.state, message: server.stateDetail, remedy: 'Start the server, or remove it from this list.', since: fleet.ago(740) })),
    ...instances.filter(({ problem }) => problem).map((each) => ({ severity: each.state === 'failed' || each.stalled ? 'error' : 'warning', instance: each.name, serverId: each.on, server: fleet.servers[each.on - 1].name, kind: each.state, message: each.problem, remedy: each.remedy, since: fleet.ago(95) })),
  ].map((problem, group) => ({ ...problem, group, groupSize: 1, groupServer: problem.server }))
  const states = ['running', 'retrying', 'failed', 'invalid', 'stopped', 'disabled', 'unknown']
  return {
    asOf: fleet.now(), servers: Object.fromEntries(['running', 'stopped', 'unreachable', 'unauthorized', 'connecting'].map((state) => [state, fleet.servers.filter((each) => each.state === state).length])),
    instances: { ...Object.fromEntries(states.map((state) => [state, instances.filter((each) => each.state === state && !each.paused && !each.stalled).length])), notHere: number(({ state }) => state === 'not_here'), paused: number(({ paused }) => paused), stalled: instances.filter(({ stalled }) => stalled).length },
    rowsPerSecond: all.reduce((sum, each) => sum + each.rowsPerSecond, 0), bytesPerSecond: all.reduce((sum, each) => sum + each.bytesPerSecond, 0), maxLagSeconds: Math.max(...all.map(({ lagSeconds }) => lagSeconds ?? 0)), problems, problemCount: problems.length,
  }
}

/** As what the overview counts an instance. */
const countedAs = ({ name, state, paused }) =>
  instanceOf(name).stalled ? 'stalled' : paused ? 'paused' : ['new', 'connecting'].includes(state) ? 'running' : state

function history(query) {
  const of = query.get('instance') ? [instanceOf(query.get('instance'))] : query.get('server') ? instances.filter(({ on }) => on === Number(query.get('server'))) : instances
  const times = Array.from({ length: 180 }, (_, i) => Math.floor(Date.now() / 1000) - 900 + i * 5)
  const rows = times.map((at, i) => (i < 20 ? null : of.reduce((sum, each) => sum + fleet.rate(each, at), 0)))
  const lag = times.map((at, i) => (i < 20 ? null : Math.max(0, ...of.map((each) => fleet.lag(each, at) ?? 0))))
  return { from: new Date(times[0] * 1000).toISOString(), stepSeconds: 5, rowsPerSecond: rows, bytesPerSecond: rows.map((each) => each && each * 212), lagSeconds: lag, deliveryDelaySeconds: lag }
}

function check(content) {
  const problems = []
  content.split('\n').forEach((line, i) => {
    const key = /^\s*([^#!\s=:][^\s=:]*)/.exec(line)?.[1]
    if (key?.startsWith('canal.') && !keys.some((each) => each.key === key)) problems.push({ key, line: i + 1, severity: 'error', message: `${key}: there is no such key; look at the list of keys` })
    if (/partitionsNum\s*=/.test(line) && !/=\s*[1-9]\d*\s*$/.test(line)) problems.push({ key, line: i + 1, severity: 'error', message: 'must be a whole number, at least 1' })
    if (/dbPassword\s*=\s*[^$\s]/.test(line)) problems.push({ key, line: i + 1, severity: 'warning', message: 'a password in the text can be read by all operators; use ${file:…} or ${env:…}' })
  })
  return { problems, effective: keys.slice(0, 14).map(({ key, defaultValue }) => ({ key, value: defaultValue ?? '', from: 'default' })) }
}

const configOf = ({ version, content, time, user }) => ({ content, md5: '0'.repeat(32), version, modified: time, modifiedBy: user })
const versionsOf = (kind, id) => {
  if (kind === 'instances') return instanceOf(id).versions
  const key = `${kind} ${id}`
  if (!canal.has(key)) canal.set(key, [{ version: 1, content: fleet.canalText, time: fleet.ago(1e6), user: 'admin', comment: null }])
  return canal.get(key)
}
function saveConfig(versions, input, who) {
  const newest = versions.at(-1)
  if (input.basedOn !== newest.version) throw new Refusal(409, 'Conflict', 'somebody else has saved a newer version', { currentVersion: newest.version })
  const { problems } = check(input.content)
  if (problems.some(({ severity }) => severity === 'error') && !input.force) throw new Refusal(422, 'Problems', 'the configuration has problems', { problems })
  versions.push({ version: newest.version + 1, content: input.content, time: fleet.now(), user: who, comment: input.comment || null })
  tell({ what: 'config' })
  return configOf(versions.at(-1))
}

const send = (stream, type, data) => stream.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
function tell(changed) {
  for (const stream of streams) send(stream, 'changed', changed)
}
function streamOf(res, type, everyMs, data) {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  send(res, type, data())
  const timer = setInterval(() => send(res, type, data()), everyMs)
  if (type === 'overview') streams.add(res)
  res.on('close', () => { clearInterval(timer); streams.delete(res) })
}

const done = (message = null) => ({ changed: true, message })
const newPassword = (name) => ({ name, password: 'brisk-otter-41-lantern' })
const openSession = (id, current) => ({ id: String(id), user: 'admin', since: fleet.ago(4000 * id), lastCall: fleet.ago(20 * id), from: `10.1.0.${id}`, agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', current })

/** Each: method, path with groups, and what answers; `c` has who, query, input and res. */
const routes = [
  ['GET', 'overview', overview],
  ['GET', 'history', (c) => history(c.query)],
  ['GET', 'events', (c) => streamOf(c.res, 'overview', 2000, overview)],
  ['PUT', 'session/password', (c) => { if (c.input.oldPassword === c.input.newPassword) throw new Refusal(400, 'Same', 'the new password is the old one; choose another'); c.session.mustChangePassword = false }],
  ['GET', 'session/all', () => [openSession(1, true), openSession(2, false)]],
  ['DELETE', 'session/all/(.+)', () => undefined],
  ['GET', 'users', () => users],
  ['POST', 'users', (c) => { users.push({ ...user(c.input.name, c.input.displayName, c.input.role), mustChangePassword: true, lastLogin: null }); return newPassword(c.input.name) }],
  ['PUT', 'users/([^/]+)', (c, name) => Object.assign(find(users, (each) => each.name === name, name), c.input)],
  ['DELETE', 'users/([^/]+)', (c, name) => { if (name === 'admin') throw new Refusal(409, 'Conflict', 'admin is the last administrator; make another user one first'); users.splice(users.findIndex((each) => each.name === name), 1) }],
  ['POST', 'users/([^/]+)/password', (c, name) => newPassword(name)],
  ['GET', 'users/([^/]+)/sessions', () => [openSession(3, false)]],
  ['DELETE', 'users/([^/]+)/sessions', () => undefined],
  ['GET', 'audit', (c) => audit(c.query)],
  ['GET', 'clusters', () => fleet.clusters.map(fullCluster)],
  ['POST', 'clusters', (c) => { const next = { id: fleet.clusters.length + 1, ...c.input, modified: fleet.now() }; fleet.clusters.push(next); return fullCluster(next) }],
  ['GET', 'clusters/(\\d+)', (c, id) => fullCluster(find(fleet.clusters, (each) => each.id === Number(id), 'cluster'))],
  ['PATCH', 'clusters/(\\d+)', (c, id) => fullCluster(Object.assign(find(fleet.clusters, (each) => each.id === Number(id), 'cluster'), c.input))],
  ['DELETE', 'clusters/(\\d+)', () => { throw new Refusal(409, 'Conflict', 'the cluster has servers; move or remove them first') }],
  ['GET', 'servers', (c) => pageOf(fleet.servers.map(fullServer).filter((each) => (!c.query.get('search') || each.name.includes(c.query.get('search'))) && (!c.query.get('state') || each.state === c.query.get('state')) && (!c.query.get('cluster') || (each.clusterId ?? 0) === Number(c.query.get('cluster')))), c.query)],
  ['POST', 'servers', (c) => { const next = { ...fleet.servers[0], ...c.input, id: fleet.servers.length + 1, state: 'connecting', lastSeen: null, version: null }; delete next.controlToken; fleet.servers.push(next); return fullServer(next) }],
  ['POST', 'servers/test', (c) => ({ control: c.input.controlUrl ? { ok: true, message: 'Sluice 0.1.0, 12 instances' } : { ok: false, message: 'no address is given' }, adminPort: { ok: true, message: 'answers, user and password are accepted' } })],
  ['GET', 'servers/(\\d+)', (c, id) => fullServer(serverOf(id))],
  ['PATCH', 'servers/(\\d+)', (c, id) => fullServer(Object.assign(serverOf(id), { ...c.input, controlToken: undefined }))],
  ['DELETE', 'servers/(\\d+)', () => { throw new Refusal(409, 'Conflict', 'instances belong to this server; move or delete them first') }],
  ['GET', 'servers/(\\d+)/log', (c, id) => ({ lines: fleet.logLines(Number(c.query.get('lines')), serverOf(id).name), files: ['server.2026-11-24.log'] })],
  ['POST', 'servers/(\\d+)/(start|stop|restart|reload)', () => done()],
  ['GET', 'instances', (c) => instancePage(c.query)],
  ['POST', 'instances', (c) => createInstance(c)],
  ['GET', 'instances/([^/]+)', (c, name) => fleet.detail(instanceOf(name))],
  ['PUT', 'instances/([^/]+)', (c, name) => { const is = instanceOf(name); if (c.input.enabled !== undefined) { is.enabled = c.input.enabled; is.state = is.enabled ? 'running' : 'disabled' } tell({ what: 'instances', id: name }); return fleet.summary(is) }],
  ['DELETE', 'instances/([^/]+)', (c, name) => { instances.splice(instances.indexOf(instanceOf(name)), 1); tell({ what: 'instances' }) }],
  ['GET', 'instances/([^/]+)/events', (c, name) => streamOf(c.res, 'instance', 1000, () => fleet.detail(instanceOf(name)))],
  ['GET', 'instances/([^/]+)/errors', (c, name) => fleet.errors(instanceOf(name))],
  ['GET', 'instances/([^/]+)/tables', (c, name) => fleet.tables(instanceOf(name))],
  ['GET', 'instances/([^/]+)/changes', (c) => streamOf(c.res, 'change', 700, () => fleet.change(c.query.get('values') === 'shown', c.query.get('table')))],
  ['GET', 'instances/([^/]+)/log', (c, name) => ({ lines: fleet.logLines(Number(c.query.get('lines')), name), files: [`${name}.2026-11-24.log`, 'meta.log'] })],
  ['POST', 'instances/([^/]+)/pause', (c, name) => { const is = instanceOf(name); const at = c.input.position ?? c.input.gtid ?? c.input.time; if (at) is.pauseAt = at; else is.paused = true; is.pauseReason = c.input.reason; return done() }],
  ['PUT', 'instances/([^/]+)/limits', (c, name) => { const one = instanceOf(name); one.limits = { ...one.limits, ...c.input }; return done() }],
  ['GET', 'instances/([^/]+)/cursor', () => ({ lines: ['client 1001: mysql-bin.000812:15000157 of 2026-11-25 12:00:01, acknowledged 2 s ago'] })],
  ['POST', 'instances/([^/]+)/cursor', (c) => ({ lines: c.input.dryRun ? ['from mysql-bin.000812:15000157 back to mysql-bin.000810:4', 'about 1,204,331 rows of 31 tables are sent again', 'oldest: 2026-11-25 09:00:00'] : ['the cursor is at mysql-bin.000810:4'] })],
  ['POST', 'instances/([^/]+)/actions/(\\w+)', (c, name, action) => { const is = instanceOf(name); if (action === 'release') throw new Refusal(502, 'Not reached', `server eu-1 does not answer: connect timed out; is it running?`); if (action === 'stop') is.state = 'stopped'; if (action === 'start') is.state = 'running'; if (action === 'resume') { is.paused = false; is.pauseAt = null } return done() }],
  ['GET', '(instances|servers|clusters)/([^/]+)/config', (c, kind, id) => configOf(versionsOf(kind, id).at(-1))],
  ['PUT', '(instances|servers|clusters)/([^/]+)/config', (c, kind, id) => saveConfig(versionsOf(kind, id), c.input, c.session.name)],
  ['GET', '(instances|servers|clusters)/([^/]+)/config/history', (c, kind, id) => [...versionsOf(kind, id)].reverse().map(({ version, content, time, user, comment }) => ({ version, time, user, comment, md5: '0'.repeat(32), bytes: content.length }))],
  ['GET', '(instances|servers|clusters)/([^/]+)/config/history/(\\d+)', (c, kind, id, version) => configOf(find(versionsOf(kind, id), (each) => each.version === Number(version), 'version'))],
  ['GET', 'config/keys', () => keys],
  ['POST', 'config/check', (c) => check(c.input.content)],
  ['POST', 'config/route', (c) => c.input.tables.map((table) => (/^(shop|till|billing)\./.test(table) ? { table, accepted: true, topics: [table.startsWith('shop.order_') ? 'orders' : 'example'], partition: 'by the hash of the primary key, 3 partitions', reason: null } : { table, accepted: false, topics: [], partition: null, reason: 'no expression of canal.instance.filter.regex matches it' }))],
  ['POST', 'config/connect', () => [
    { target: 'source db1:3306', what: 'login', verdict: 'ok', message: 'canal, over TLS', remedy: null },
    { target: 'source db1:3306', what: 'clock', verdict: 'warning', message: "the server's clock is 9.2 s behind this machine's", remedy: 'have both synchronized by NTP' },
    { target: 'source db1:3306', what: 'cursor', verdict: 'unknown', message: 'the cursor is in a file of the server that runs the instance, which is not read here', remedy: null },
    { target: 'kafka', what: 'connection', verdict: 'failed', message: 'kafka2:9092: Connection refused', remedy: 'Start the broker, or correct kafka.bootstrap.servers.' },
  ]],
  ['POST', 'config/tables', () => ({ tables: ['shop.orders', 'shop.order_items', 'till.orders', 'wiki.pages', 'mysql.slave_master_info'], visible: 1204, accepted: 3, truncated: true })],
  ['GET', 'templates', () => templates],
  ['PUT', 'templates/([^/]+)', (c, name) => { const old = templates.findIndex((each) => each.name === name); if (c.input.create && old >= 0 && !templates[old].builtIn) throw new Refusal(409, 'Conflict', `There is a template ${name}. Choose another name.`); const saved = { name, kind: c.input.kind, content: c.input.content, md5: '0'.repeat(32), builtIn: false }; templates.splice(old < 0 ? templates.length : old, 1, saved); return saved }],
  ['DELETE', 'templates/([^/]+)', (c, name) => { templates.splice(templates.findIndex((each) => each.name === name), 1) }],
]

function instancePage(query) {
  const rank = { failed: 0, retrying: 1, unknown: 2, running: 4, stopped: 5, disabled: 6 }
  const all = instances.map(fleet.summary).filter((each) => (!query.get('search') || each.name.includes(query.get('search'))) && (!query.get('state') || each.state === query.get('state')) && (!query.get('counted') || countedAs(each) === query.get('counted')) && (!query.get('cluster') || each.clusterId === Number(query.get('cluster'))) && (!query.get('server') || each.runningOnId === Number(query.get('server'))) && (!query.get('healthy') || String(each.healthy) === query.get('healthy')))
  const orders = { name: (a, b) => a.name.localeCompare(b.name), rate: (a, b) => b.rowsPerSecond - a.rowsPerSecond, lag: (a, b) => (b.lagSeconds ?? 0) - (a.lagSeconds ?? 0), state: (a, b) => rank[a.state] - rank[b.state] }
  return pageOf(all.sort(orders[query.get('sort')] ?? ((a, b) => Number(a.healthy) - Number(b.healthy) || rank[a.state] - rank[b.state])), query)
}

function createInstance({ input, session }) {
  if (instances.some(({ name }) => name === input.name)) throw new Refusal(409, 'Conflict', `there is an instance ${input.name} already; choose another name`)
  instances.push({ ...fleet.makeInstances(1)[0], seed: 999, name: input.name, state: 'running', clusterId: input.clusterId ?? null, on: input.serverId ?? fleet.servers.find((each) => each.clusterId === input.clusterId).id, versions: [{ version: 1, content: input.content, time: fleet.now(), user: session.name, comment: 'Created' }] })
  tell({ what: 'instances', id: input.name })
  return fleet.summary(instances.at(-1))
}

function audit(query) {
  const actions = ['instance.pause', 'instance.config', 'session.login', 'server.create', 'instance.cursor']
  const all = Array.from({ length: 120 }, (_, i) => 120 - i).map((id) => ({ id, time: fleet.ago((120 - id) * 700), user: users[id % 3].name, from: '10.1.0.7', action: actions[id % 5], target: id % 5 === 3 ? 'server eu-1' : 'instance orders', before: id % 5 === 1 ? 'canal.mq.topic = a\ncanal.mq.partitionsNum = 1\n' : null, after: id % 5 === 1 ? 'canal.mq.topic = a\ncanal.mq.partitionsNum = 3\n' : null, outcome: ['done', 'done', 'done', 'refused', 'failed'][id % 5], detail: id % 5 === 4 ? 'server eu-3 does not answer' : null }))
  const some = all.filter((each) => (!query.get('user') || each.user === query.get('user')) && each.action.startsWith(query.get('action') ?? '') && each.target.includes(query.get('target') ?? '') && (!query.get('before') || each.id < Number(query.get('before'))))
  const items = some.slice(0, Number(query.get('size') ?? 50))
  return { items, next: some.length > items.length ? items.at(-1).id : null }
}

function login(input, res) {
  const known = users.find(({ name }) => name === input.name)
  if (!known || known.disabled || input.password !== `${input.name}-${input.name}`) {
    if (++failures > 4) throw Object.assign(new Refusal(429, 'Too many attempts', 'too many attempts with this name; wait, then try again'), { retryAfter: 30 })
    throw new Refusal(401, 'Not logged in', 'Check both, and mind capital letters.')
  }
  failures = 0
  const id = Math.random().toString(36).slice(2)
  const session = { name: known.name, displayName: known.displayName, role: process.env.ROLE ?? known.role, mustChangePassword: known.mustChangePassword, source: known.source, since: fleet.now(), expires: fleet.ago(-3600) }
  sessions.set(id, session)
  res.setHeader('Set-Cookie', [`SESSION=${id}; HttpOnly; SameSite=Strict; Path=/`, `XSRF-TOKEN=${id}x; SameSite=Strict; Path=/`])
  return session
}

async function answer(req, res, path, query) {
  const id = /SESSION=(\w+)/.exec(req.headers.cookie ?? '')?.[1]
  const session = sessions.get(id)
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const input = chunks.length ? JSON.parse(Buffer.concat(chunks)) : undefined
  if (path === 'login-options') return { version: '0.1.0', password: true, oidc: { name: 'Keycloak', url: '/oauth2/authorization/keycloak' } }
  if (path === 'session' && req.method === 'POST') return login(input, res)
  if (!session) throw new Refusal(401, 'Not logged in', 'log in first')
  if (req.method !== 'GET' && req.headers['x-xsrf-token'] !== `${id}x`) throw new Refusal(403, 'Forbidden', 'the header X-XSRF-TOKEN is missing or wrong')
  if (path === 'session') {
    if (req.method === 'DELETE') return void sessions.delete(id)
    return session
  }
  for (const [method, pattern, handle] of routes) {
    const match = req.method === method && new RegExp(`^${pattern}$`).exec(path)
    if (match) return handle({ query, input, res, session }, ...match.slice(1).map(decodeURIComponent))
  }
  throw new Refusal(404, 'Not found', `the mock does not know ${req.method} ${path}`)
}

function page(res, path) {
  const file = normalize(join(DIST, path))
  const found = file.startsWith(DIST) && existsSync(file) && statSync(file).isFile() ? file : join(DIST, 'index.html')
  res.writeHead(200, { 'Content-Type': TYPES[extname(found)] ?? 'application/octet-stream', 'Content-Security-Policy': CSP })
  createReadStream(found).pipe(res)
}

createServer(async (req, res) => {
  const url = new URL(req.url, 'http://mock')
  if (!url.pathname.startsWith('/api/v2/')) return page(res, url.pathname)
  try {
    const result = await answer(req, res, url.pathname.slice('/api/v2/'.length), url.searchParams)
    if (!res.headersSent) res.writeHead(result === undefined ? 204 : 200, { 'Content-Type': 'application/json' }).end(result === undefined ? '' : JSON.stringify(result))
  } catch (thrown) {
    const problem = thrown.problem ?? { status: 500, title: 'Failed', detail: String(thrown.stack) }
    if (thrown.retryAfter) res.setHeader('Retry-After', thrown.retryAfter)
    res.writeHead(problem.status, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(problem))
  }
}).listen(PORT, '127.0.0.1', () => process.stdout.write(`mock on http://127.0.0.1:${PORT}\n`))
