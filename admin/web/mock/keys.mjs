// Some keys, for completion and documentation in the editor.
const key = (key, type, defaultValue, description, more = {}) => ({
  key, scope: 'instance', type, defaultValue, description, values: [], secret: false, effect: 'reload', group: 'An instance', ...more,
})

export const keys = [
  key('canal.instance.master.address', 'host:port', null, 'The MySQL or MariaDB server to read.'),
  key('canal.instance.dbUsername', 'text', 'retl', 'The user of the login; needs SELECT, REPLICATION SLAVE and REPLICATION CLIENT.'),
  key('canal.instance.dbPassword', 'text', null, 'The password of that user; best given as ${file:/run/secrets/…} or ${env:…}.', { secret: true }),
  key('canal.instance.master.journal.name', 'text', null, 'Where to begin without a cursor: a binlog file, or earliest, or latest.'),
  key('canal.instance.master.position', 'whole number', null, 'The offset in that file, in bytes.'),
  key('canal.instance.master.timestamp', 'whole number', null, 'Where to begin without a cursor: at or after this time.'),
  key('canal.instance.master.gtid', 'text', null, 'With canal.instance.gtidon: begin after these transactions.'),
  key('canal.instance.gtidon', 'true or false', 'false', 'Whether messages carry the executed GTID set.'),
  key('canal.instance.master.sslMode', 'text', 'DISABLED', 'TLS to the source.', { values: ['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] }),
  key('canal.instance.filter.regex', 'text', '.*\\..*', 'The tables to keep: expressions of schema.table, separated by commas.'),
  key('canal.instance.filter.black.regex', 'text', null, 'The tables to leave out.'),
  key('canal.mq.topic', 'text', null, 'The topic of everything, or of what no rule is for.'),
  key('canal.mq.dynamicTopic', 'text', null, 'Rules for topics: topic:match, or match for topics that are named as what matches.'),
  key('canal.mq.partitionHash', 'text', null, 'Rules for partitions: match:column^column, match:$pk$, or match for the name of the table.'),
  key('canal.mq.partitionsNum', 'whole number', '1', 'The number of partitions over which canal.mq.partitionHash spreads.'),
  key('canal.port', 'port', '11111', 'The port for clients.', { scope: 'server', effect: 'restart' }),
  key('canal.metrics.pull.port', 'port', '11112', 'The port for metrics.', { scope: 'server', effect: 'restart' }),
  key('canal.zkServers', 'text', null, 'The hosts of ZooKeeper.', { scope: 'server', effect: 'restart' }),
  key('canal.serverMode', 'text', 'tcp', 'Where messages go.', { scope: 'server', effect: 'restart', values: ['tcp', 'kafka', 'rocketMQ', 'rabbitMQ', 'pulsarMQ'] }),
]
