import type {
  Config,
  ConfigKey,
  InstanceDetail,
  InstanceSummary,
  Overview,
  Role,
  Server,
  Session,
  User,
} from '@/api/types'

const TIME = '2026-03-01T10:00:00Z'

export const session = (role: Role, more: Partial<Session> = {}): Session => ({
  name: `the-${role}`,
  displayName: '',
  role,
  mustChangePassword: false,
  source: 'local',
  since: TIME,
  expires: TIME,
  ...more,
})

export const summary = (more: Partial<InstanceSummary> = {}): InstanceSummary => ({
  name: 'shop',
  managed: true,
  enabled: true,
  clusterId: null,
  clusterName: null,
  serverId: 1,
  serverName: 'left',
  runningOn: 'left',
  runningOnId: 1,
  state: 'running',
  healthy: true,
  paused: false,
  rowsPerSecond: 120,
  bytesPerSecond: 9000,
  lagSeconds: 3,
  lagBytes: 77,
  deliveryDelaySeconds: 2,
  cursorUnwrittenSeconds: 0,
  problem: null,
  asOf: TIME,
  ...more,
})

export const detail = (of: Partial<InstanceSummary> = {}, more: Partial<InstanceDetail> = {}): InstanceDetail => ({
  summary: summary(of),
  stages: [],
  position: {
    source: 'db:3306',
    file: 'binlog.000012',
    offset: 4711,
    gtidSet: null,
    gtidSetCharacters: null,
    time: TIME,
  },
  limits: { rowsPerSecond: 0, bytesPerSecond: 0 },
  pauseReason: null,
  pausedSince: null,
  pauseAt: null,
  newestEvent: TIME,
  deliveredRows: 1,
  deliveredBytes: 1,
  deliveredMessages: 1,
  configurationProblem: null,
  retryAt: null,
  errors: [],
  servers: [],
  capabilities: ['start', 'stop', 'restart', 'pause', 'resume', 'limit', 'cursor', 'tables', 'errors', 'log'],
  ...more,
})

export const server = (more: Partial<Server> = {}): Server => ({
  id: 1,
  name: 'left',
  ip: '10.0.0.7',
  adminPort: 11110,
  tcpPort: 11111,
  metricPort: 11112,
  clusterId: null,
  clusterName: null,
  controlUrl: 'https://10.0.0.7:11113',
  hasControlToken: true,
  kind: 'sluice',
  state: 'running',
  stateDetail: null,
  configurationProblem: null,
  clusterProblem: null,
  restartKeys: [],
  version: '9.9',
  lastSeen: TIME,
  instances: 1,
  running: 1,
  unhealthy: 0,
  rowsPerSecond: 120,
  bytesPerSecond: 9000,
  ...more,
})

export const config = (content: string, more: Partial<Config> = {}): Config => ({
  content,
  version: 1,
  md5: '0'.repeat(32),
  modified: TIME,
  modifiedBy: 'ada',
  ...more,
})

export const configKey = (key: string, description: string, more: Partial<ConfigKey> = {}): ConfigKey => ({
  key,
  type: 'text',
  defaultValue: null,
  scope: 'instance',
  group: 'source',
  effect: 'reload',
  description,
  values: [],
  secret: false,
  ...more,
})

export const user = (name: string, more: Partial<User> = {}): User => ({
  name,
  displayName: '',
  role: 'viewer',
  source: 'local',
  disabled: false,
  mustChangePassword: false,
  created: TIME,
  lastLogin: TIME,
  ...more,
})

export const overview = (more: Partial<Overview> = {}): Overview => ({
  asOf: TIME,
  servers: { running: 1, stopped: 0, unreachable: 0, unauthorized: 0, connecting: 0 },
  instances: {
    running: 1,
    paused: 0,
    retrying: 0,
    failed: 0,
    stopped: 0,
    disabled: 0,
    unknown: 0,
    stalled: 0,
    invalid: 0,
    notHere: 0,
  },
  rowsPerSecond: 120,
  bytesPerSecond: 9000,
  maxLagSeconds: 3,
  problems: [],
  problemCount: 0,
  ...more,
})

export const page = <T>(...items: T[]) => ({ items, total: items.length, page: 1, size: 50 })

/** A history without a point. */
export const history = {
  from: '2026-03-01T10:00:00Z',
  stepSeconds: 5,
  rowsPerSecond: [],
  bytesPerSecond: [],
  lagSeconds: [],
  deliveryDelaySeconds: [],
}
