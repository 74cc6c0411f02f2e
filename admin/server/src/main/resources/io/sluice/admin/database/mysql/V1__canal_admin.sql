-- The tables of canal-admin, which are kept if they are there: a database of canal-admin is taken over as it is.

-- A group of servers that share ZooKeeper.
CREATE TABLE IF NOT EXISTS canal_cluster (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name varchar(255) NOT NULL,
    zk_hosts varchar(255) NOT NULL,
    modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- A server.
CREATE TABLE IF NOT EXISTS canal_node_server (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    cluster_id bigint,
    name varchar(255) NOT NULL,
    ip varchar(255) NOT NULL,
    admin_port int,
    tcp_port int,
    metric_port int,
    status varchar(45),
    modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- The canal.properties of a cluster or of a standalone server.
CREATE TABLE IF NOT EXISTS canal_config (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    cluster_id bigint,
    server_id bigint,
    name varchar(255) NOT NULL,
    status varchar(45),
    content text NOT NULL,
    content_md5 varchar(128) NOT NULL,
    modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    UNIQUE KEY config_server_id (server_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- The instance.properties of an instance; status 1: enabled.
CREATE TABLE IF NOT EXISTS canal_instance_config (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    cluster_id bigint,
    server_id bigint,
    name varchar(255) NOT NULL,
    status varchar(45),
    content text NOT NULL,
    content_md5 varchar(128),
    modified_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
    UNIQUE KEY instance_config_name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Users as canal-admin keeps them: taken over once, not read after that.
CREATE TABLE IF NOT EXISTS canal_user (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    username varchar(31) NOT NULL,
    password varchar(128) NOT NULL,
    name varchar(31) NOT NULL,
    roles varchar(31) NOT NULL,
    introduction varchar(255),
    avatar varchar(255),
    creation_date timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
