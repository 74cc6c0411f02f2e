// The menus: by task, in the order in which a reader needs them.
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DECISIONS = fileURLToPath(new URL('../../adr/', import.meta.url))

const group = (text, items, collapsed) => ({
  text,
  collapsed,
  items: items.map(([label, page]) => ({ text: label, link: `/${page}` })),
})

/** Returns the decision records, by their headings. */
function decisions() {
  return readdirSync(DECISIONS)
    .filter((file) => /^\d{4}-.*\.md$/.test(file) && !file.startsWith('0000'))
    .sort()
    .map((file) => {
      const [, number, title] = /^# (\d{4}): (.*)$/m.exec(readFileSync(DECISIONS + file, 'utf8'))
      return [`${number} ${title}`, `adr/${file.replace(/\.md$/, '')}`]
    })
}

export const englishMenu = [
  group('Begin', [
    ['Quick start', 'quick-start'],
    ['Concepts', 'concepts'],
    ['Compared with canal', 'compatibility'],
    ['Performance', 'performance'],
  ]),
  group('Migrate', [
    ['From canal', 'migration'],
    ['From Maxwell', 'migration-maxwell'],
    ['From Debezium', 'migration-debezium'],
  ]),
  group('Deliver', [
    ['Topics and partitions', 'routing'],
    ['Formats', 'formats'],
    ["Debezium's envelope", 'debezium'],
    ['Kafka', 'kafka'],
    ['RocketMQ', 'rocketmq'],
    ['RabbitMQ', 'rabbitmq'],
    ['Pulsar', 'pulsar'],
    ['Standard output', 'stdout'],
    ['Clients that pull', 'client'],
  ]),
  group('Set up', [
    ['Configuration', 'configuration'],
    ['Configuration from an admin server', 'admin-config'],
    ['Check a configuration', 'check'],
    ['Deployment', 'deployment'],
    ['Helm chart', 'helm'],
    ['High availability', 'high-availability'],
    ['Cloud services', 'cloud'],
    ['Security', 'security'],
  ]),
  group('Operate', [
    ['Start and stop', 'start-stop'],
    ['Runbook', 'runbook'],
    ['Messages of the log', 'log-messages'],
    ['Failures', 'failures'],
    ['Positions and recovery', 'positions'],
    ['Cursors and the schema history', 'cursors'],
    ['Control', 'control'],
    ['The admin server', 'admin'],
    ['Its servers and instances', 'admin-servers'],
    ['The management port', 'management-port'],
    ['Metrics and health', 'metrics'],
    ['Alarms', 'alarms'],
    ['Logs', 'logs'],
    ['Memory', 'memory'],
    ['Serving clients that pull', 'clients'],
    ['Upgrade and maintenance', 'upgrade'],
    ['All subjects', 'operations'],
  ]),
  group('Understand', [
    ['Glossary', 'glossary'],
    ['Architecture', 'architecture'],
    ['The replication library', 'mysql'],
    ['Benchmarks', 'bench'],
    ['Changelog', 'changelog'],
    ['Contributing', 'contributing'],
    ['Releasing', 'releasing'],
  ], true),
  group('Decisions', decisions(), true),
]

export const chineseMenu = [
  group('入门', [
    ['快速开始', 'zh-CN/quick-start'],
    ['基本概念', 'zh-CN/concepts'],
    ['与 canal 的比较', 'zh-CN/compatibility'],
    ['从 canal 迁移', 'zh-CN/migration'],
  ]),
  group('投递', [
    ['主题与分区', 'zh-CN/routing'],
    ['消息格式', 'zh-CN/formats'],
    ['Debezium 消息格式', 'zh-CN/debezium'],
    ['Kafka', 'zh-CN/kafka'],
    ['RocketMQ', 'zh-CN/rocketmq'],
    ['RabbitMQ', 'zh-CN/rabbitmq'],
    ['Pulsar', 'zh-CN/pulsar'],
    ['标准输出', 'zh-CN/stdout'],
  ]),
  group('配置', [
    ['配置', 'zh-CN/configuration'],
    ['从管理服务器读取配置', 'zh-CN/admin-config'],
    ['检查配置', 'zh-CN/check'],
    ['部署', 'zh-CN/deployment'],
    ['高可用', 'zh-CN/high-availability'],
    ['云服务', 'zh-CN/cloud'],
    ['安全', 'zh-CN/security'],
  ]),
  group('运维', [
    ['运维', 'zh-CN/operations'],
    ['启动与停止', 'zh-CN/start-stop'],
    ['故障处理手册', 'zh-CN/runbook'],
    ['日志中的消息', 'zh-CN/log-messages'],
    ['失败', 'zh-CN/failures'],
    ['位点与恢复', 'zh-CN/positions'],
    ['位点与表结构历史', 'zh-CN/cursors'],
    ['管理端口', 'zh-CN/management-port'],
    ['监控与健康检查', 'zh-CN/metrics'],
    ['告警', 'zh-CN/alarms'],
    ['日志', 'zh-CN/logs'],
    ['内存', 'zh-CN/memory'],
    ['由客户端拉取', 'zh-CN/clients'],
    ['升级与维护', 'zh-CN/upgrade'],
    ['管理服务器', 'zh-CN/admin'],
  ]),
  group('英文文档', [
    ['Java 客户端', 'client'],
    ['控制 API', 'control'],
    ['服务端与实例', 'admin-servers'],
    ['性能', 'performance'],
    ['术语表', 'glossary'],
  ]),
]
