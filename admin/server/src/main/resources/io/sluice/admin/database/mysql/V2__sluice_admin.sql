-- What Sluice's admin keeps besides. Times are milliseconds since the epoch.
-- MySQL commits each statement by itself, so each can be run again after an attempt that has failed.

-- A text holds 64 KiB only, and utf8 is without the characters of four bytes.
ALTER TABLE canal_config MODIFY content mediumtext CHARACTER SET utf8mb4 NOT NULL;
ALTER TABLE canal_instance_config MODIFY content mediumtext CHARACTER SET utf8mb4 NOT NULL;

-- How a server's control API is reached. The token is encrypted with the key in admin.key.
CREATE TABLE IF NOT EXISTS sluice_server_access (
    server_id bigint NOT NULL PRIMARY KEY,
    control_url varchar(500),
    control_token varchar(2000)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Every version of a configuration; the newest equals what the tables of canal hold.
CREATE TABLE IF NOT EXISTS sluice_config_version (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    owner_kind varchar(20) NOT NULL,
    owner_id bigint NOT NULL,
    version bigint NOT NULL,
    content mediumtext NOT NULL,
    md5 varchar(32) NOT NULL,
    user_name varchar(255) NOT NULL,
    comment varchar(1000),
    saved_at bigint NOT NULL,
    UNIQUE (owner_kind, owner_id, version)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Templates that were made or changed here.
CREATE TABLE IF NOT EXISTS sluice_template (
    name varchar(100) NOT NULL PRIMARY KEY,
    kind varchar(20) NOT NULL,
    content mediumtext NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Users. password_hash: as Spring Security's delegating encoder writes it; null for users of an identity provider.
CREATE TABLE IF NOT EXISTS sluice_user (
    name varchar(255) NOT NULL PRIMARY KEY,
    display_name varchar(255) NOT NULL,
    role varchar(20) NOT NULL,
    source varchar(20) NOT NULL,
    password_hash varchar(500),
    disabled int NOT NULL,
    must_change_password int NOT NULL,
    created_at bigint,
    last_login_at bigint
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Who changed what.
CREATE TABLE IF NOT EXISTS sluice_audit (
    id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    at bigint NOT NULL,
    user_name varchar(255) NOT NULL,
    address varchar(100) NOT NULL,
    action varchar(100) NOT NULL,
    target varchar(500) NOT NULL,
    before_text mediumtext,
    after_text mediumtext,
    outcome varchar(20) NOT NULL,
    detail varchar(2000),
    KEY sluice_audit_user_name (user_name),
    KEY sluice_audit_at (at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Spring Session's sessions.
CREATE TABLE IF NOT EXISTS SPRING_SESSION (
    primary_id char(36) NOT NULL PRIMARY KEY,
    session_id char(36) NOT NULL,
    creation_time bigint NOT NULL,
    last_access_time bigint NOT NULL,
    max_inactive_interval int NOT NULL,
    expiry_time bigint NOT NULL,
    principal_name varchar(255),
    UNIQUE (session_id),
    KEY spring_session_expiry_time (expiry_time),
    KEY spring_session_principal_name (principal_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- Their attributes.
CREATE TABLE IF NOT EXISTS SPRING_SESSION_ATTRIBUTES (
    session_primary_id char(36) NOT NULL,
    attribute_name varchar(200) NOT NULL,
    attribute_bytes mediumblob NOT NULL,
    PRIMARY KEY (session_primary_id, attribute_name),
    FOREIGN KEY (session_primary_id) REFERENCES SPRING_SESSION (primary_id) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
