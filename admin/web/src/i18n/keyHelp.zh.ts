/**
 * The Chinese help of configuration keys: of those in the form, and of those in the configuration files that Sluice ships. The API has
 * the help of all keys in English. Code is in backticks.
 */
export const keyHelpZh: Record<string, string> = {
  // The source
  'canal.instance.master.address': '要读取的 MySQL 或 MariaDB 服务器，格式为 `host:port` 或 `[ipv6]:port`。',
  'canal.instance.dbUsername': '登录源库的用户，需要 SELECT、REPLICATION SLAVE 和 REPLICATION CLIENT 权限。',
  'canal.instance.dbPassword': '该用户的密码，建议写作 `${file:/run/secrets/…}` 或 `${env:…}`。',
  'canal.instance.connectionCharset': '源库没有指明字符集的文本所用的字符集，例如 `UTF-8`。',
  'canal.instance.mysql.slaveId':
    '作为从库连接时使用的 server id，在该源库的所有从库中必须唯一；0 或更小：由实例名、本机地址、主机名和目录生成。',
  'canal.instance.master.sslMode':
    '与源库之间的 TLS。`PREFERRED`：源库不支持 TLS 时用明文；`REQUIRED`：接受任何证书；`VERIFY_CA`：证书必须受信任；`VERIFY_IDENTITY`：证书还必须与主机名相符。',
  'canal.instance.master.serverRSAPublicKeyFile': '改用这个文件中的服务器公钥（`public_key.pem`）。',
  'canal.instance.master.trustCertificateKeyStoreType':
    '受信任证书文件的格式：`PKCS12`、`JKS`，或表示证书文件的 `PEM`。',
  'canal.instance.master.trustCertificateKeyStoreUrl':
    '受信任的证书，例如 `file:/path/to/store.p12`；留空：信任 JVM 所信任的证书。',
  // Where to begin
  'canal.instance.master.journal.name':
    '没有位点时从哪里开始：某个 binlog 文件、`earliest` 或 `latest`。此项与后面三项都为空时，从最新位置开始。',
  'canal.instance.position.onLost':
    '没有位点、也没有配置开始位置，而表结构历史表明该实例曾经读取过时：`stop` 停止实例；`newest` 与 canal 一样从最新位置开始。由客户端拉取时，或位点只在内存中时，总是从最新位置开始。',
  'canal.instance.master.position': '该文件中的偏移量，单位为字节。',
  'canal.instance.master.timestamp':
    '没有位点时，从该时间或之后的第一个事务开始，为 1970 年以来的毫秒数；设置了 `journal.name` 时只在该文件中查找。',
  'canal.instance.master.gtid':
    '启用 `canal.instance.gtidon` 时：从这些事务之后开始；同时设置了 `journal.name` 和 `position` 时，为该位置之前的事务。',
  'canal.instance.gtidon': '消息中是否带上已执行的 GTID 集合；仅当源库为 `gtid_mode=ON`（或为 MariaDB）时才有。',
  // Which tables and rows
  'canal.instance.filter.regex': '要投递的表：针对 `schema.table` 的正则表达式，用逗号分隔。',
  'canal.instance.filter.black.regex': '要排除的表，写法相同。',
  'canal.instance.filter.field': '要保留的列，只影响列出的表：`schema.table:column/column`，用逗号分隔。',
  'canal.instance.filter.black.field': '要去掉的列，写法相同。',
  'canal.instance.filter.query.dcl': '丢弃 `CREATE DATABASE`、`DROP DATABASE`，以及 canal 的解析器无法读取的语句。',
  'canal.instance.filter.query.dml': '丢弃以语句形式记录的 DML，以及行变更附带的语句文本。',
  'canal.instance.filter.query.ddl': '丢弃所有语句，包括上述 DML。',
  'canal.instance.filter.dml.insert': '丢弃插入的行。',
  'canal.instance.filter.dml.update': '丢弃更新的行。',
  'canal.instance.filter.dml.delete': '丢弃删除的行。',
  // Topics and partitions
  'canal.mq.topic': '所有消息的主题，或没有规则适用时的主题。',
  'canal.mq.partition': '没有设置 `canal.mq.partitionHash` 时使用的分区。',
  'canal.mq.dynamicTopic': '选择主题的规则：`topic:match`；只写 `match` 时，主题以匹配到的库名或表名命名。',
  'canal.mq.partitionHash': '选择分区的规则：`match:column^column`、`match:$pk$`；只写 `match` 时按表名选择。',
  'canal.mq.partitionsNum': '`canal.mq.partitionHash` 所分布的分区数，至少为 1。',
  'canal.mq.onReject':
    'broker 因大小或内容而拒绝某条消息时：`stop` 停止实例，`skip` 跳过并记录日志和计数，`deadLetter` 发送到死信主题。',
  // The server
  'canal.serverMode': '`tcp`：客户端从本服务端的端口拉取。其他：把消息发送到相应的 broker，或写到标准输出或文件。',
  'canal.destinations': '实例名，用逗号分隔；由字母、数字、`.`、`-` 和 `_` 组成，不能以 `.` 开头。',
  'canal.conf.dir': '存放各实例目录的目录。',
  'canal.auto.scan':
    '为 `true` 时，运行的实例就是该目录下有配置文件的实例，并且在服务端运行期间接受配置变更；`canal.destinations` 中列出而没有文件的实例不会运行。',
  'canal.zkServers': 'ZooKeeper 服务器，格式为 `host:port`，用逗号分隔；使用相同 ZooKeeper 的服务端分担实例。',
  'canal.register.ip':
    '其他服务端和客户端识别本服务端所用的地址，与 `canal.port` 一起使用；同一台机器上的两个服务端需要不同的端口。',
  'canal.instance.global.spring.xml':
    '位点保存在哪里，只看文件名：`file-instance.xml` 为文件，`default-instance.xml` 为 ZooKeeper，`memory-instance.xml` 在停止后即丢失。用实例名代替 `global` 时只对该实例生效。',
  'canal.instance.tsdb.url':
    '表结构历史保存在哪里：`jdbc:h2:<path>` 为本地文件 `<path>.sqlite`，`jdbc:sqlite:<file>` 为该文件，`jdbc:mysql://<host>:<port>/<schema>` 为该库中 canal 的两张表，其 TLS 参数与 Connector/J 含义相同，或更严格。',
  'canal.instance.tsdb.dbUsername': '该 MySQL 的用户，也用于 canal 的 H2 文件；本地文件不需要用户。',
  // Clients that pull
  'canal.ip': '监听的地址；留空：所有地址，此时必须设置密码。',
  'canal.port': '供客户端拉取的端口，0 到 65535；0：任意空闲端口。',
  'canal.user': '客户端必须发送的用户名；留空：任意。需要设置 `canal.passwd`。',
  'canal.passwd':
    '40 位十六进制数，即 `SHA1(SHA1(password))`；留空：不要求密码，只在回环地址上接受，空密码和众所周知的密码（`admin`、`canal`、`123456`）也是如此。',
  // Messages and batches
  'canal.mq.flatMessage': '`true`：行以扁平 JSON 表示；`false`：protobuf 包。',
  'canal.mq.format': '消息格式；`debezium` 为 Debezium 信封的 JSON。设置后 `canal.mq.flatMessage` 不再起作用。',
  'canal.mq.canalBatchSize':
    '一批的大小，以 `canal.instance.memory.buffer.memunit` 为单位，默认即 KiB；`canal.instance.memory.batch.mode = ITEMSIZE` 时为条目数。',
  'canal.mq.canalGetTimeout':
    '存储为空时每次查看等待多久，单位为毫秒，最多 200；0 或更小：100。与 canal 不同，条目从不等待一批凑满。',
  'canal.mq.inflight.batches':
    '每个实例可以同时等待 broker 应答的批数，1 到 10000。未设置时为 128；如果 broker 的应答本身就很慢（距离远），则为 160。',
  'canal.mq.build.thread.size': '生成消息的线程数，1 到 1024，由所有实例共用。',
  'canal.instance.memory.buffer.size': '环形缓冲可容纳的条目数，必须是 2 的幂。',
  'canal.instance.memory.buffer.memunit': '一个条目折算的字节数；环形缓冲最多容纳两者的乘积。',
  'canal.instance.memory.batch.mode':
    '一批的大小按什么计算：以 `memunit` 为单位的字节数（`MEMSIZE`）或条目数（`ITEMSIZE`）。',
  'canal.instance.parser.parallelThreadSize':
    '供客户端拉取时编码条目的线程数，由服务端的实例共用，取所有实例中的最大值。使用消息队列时不起作用，见 `canal.mq.build.thread.size`。',
  // Cursors
  'canal.file.data.dir': '位点所在的目录：`<dir>/<destination>/meta.dat`。',
  'canal.file.flush.period': '位点移动后，过多久写入该文件，单位为毫秒。',
  // Monitoring
  'canal.metrics.pull.port':
    '通过 HTTP 读取监控指标和健康状态的端口；0 或更小：不提供。无法打开时记录日志，服务端照常运行。',
  'canal.metrics.pull.ip': '监听的地址；留空：所有地址。',
  'canal.metrics.tables': '每个实例中逐表统计行数和字节数的表的数量（最繁忙的表）；其余的表合并统计。0：不统计。',
  'canal.health.stall.timeout': '有工作而没有进展达到多久后，实例视为停滞，单位为毫秒；0：从不。',
  'canal.alarm.webhook.url':
    '告警发送到的 URL，最多八个；没有则不发送。URL 属于机密，从不显示，应写在文件或变量中：`${file:…}` 或 `${env:…}`。',
  'canal.alarm.webhook.format':
    '接收方要求的格式：`json`、`dingtalk`、`feishu` 或 `slack`；所有 URL 用一个，或每个 URL 各一个。',
  'canal.alarm.webhook.secret':
    '发往钉钉或飞书的请求所用的加签密钥（如果机器人启用了加签）；所有 URL 用一个，或每个 URL 各一个，可以有空项：`,SEC1`。',
  // The management port
  'canal.admin.port':
    '管理端口，canal 中为 `11110`；留空：不提供；0：任意空闲端口。无法打开时记录日志，服务端照常运行。',
  'canal.admin.user': '控制台必须发送的用户名；留空：任意。',
  'canal.admin.passwd':
    '40 位十六进制数，即 `SHA1(SHA1(password))`。没有密码，或密码众所周知（`admin`、`canal`、`123456`）且 `canal.admin.ip` 不是回环地址时，该端口不打开，启动时会有警告。',
  'canal.admin.ip': '监听的地址；留空：与 `canal.ip` 相同，两者都为空时为所有地址。',
}
