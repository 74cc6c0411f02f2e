-- The tables of canal-admin, which are kept if they are there: a database of canal-admin is taken over as it is.

-- A group of servers that share ZooKeeper.
CREATE TABLE IF NOT EXISTS canal_cluster (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    zk_hosts TEXT NOT NULL,
    modified_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- A server.
CREATE TABLE IF NOT EXISTS canal_node_server (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    cluster_id INTEGER,
    name TEXT NOT NULL,
    ip TEXT NOT NULL,
    admin_port INTEGER,
    tcp_port INTEGER,
    metric_port INTEGER,
    status TEXT,
    modified_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- The canal.properties of a cluster or of a standalone server.
CREATE TABLE IF NOT EXISTS canal_config (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    cluster_id INTEGER,
    server_id INTEGER,
    name TEXT NOT NULL,
    status TEXT,
    content TEXT NOT NULL,
    content_md5 TEXT NOT NULL,
    modified_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (server_id)
);

-- The instance.properties of an instance; status 1: enabled.
CREATE TABLE IF NOT EXISTS canal_instance_config (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    cluster_id INTEGER,
    server_id INTEGER,
    name TEXT NOT NULL,
    status TEXT,
    content TEXT NOT NULL,
    content_md5 TEXT,
    modified_time TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (name)
);

-- Users as canal-admin keeps them: taken over once, not read after that.
CREATE TABLE IF NOT EXISTS canal_user (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL,
    password TEXT NOT NULL,
    name TEXT NOT NULL,
    roles TEXT NOT NULL,
    introduction TEXT,
    avatar TEXT,
    creation_date TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
