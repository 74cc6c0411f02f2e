-- What Sluice's admin keeps besides. Times are milliseconds since the epoch.

-- How a server's control API is reached. The token is encrypted with the key in admin.key.
CREATE TABLE sluice_server_access (
    server_id INTEGER NOT NULL PRIMARY KEY,
    control_url TEXT,
    control_token TEXT
);

-- Every version of a configuration; the newest equals what the tables of canal hold.
CREATE TABLE sluice_config_version (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_kind TEXT NOT NULL,
    owner_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    content TEXT NOT NULL,
    md5 TEXT NOT NULL,
    user_name TEXT NOT NULL,
    comment TEXT,
    saved_at INTEGER NOT NULL,
    UNIQUE (owner_kind, owner_id, version)
);

-- Templates that were made or changed here.
CREATE TABLE sluice_template (
    name TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    content TEXT NOT NULL
);

-- Users. password_hash: as Spring Security's delegating encoder writes it; null for users of an identity provider.
CREATE TABLE sluice_user (
    name TEXT NOT NULL PRIMARY KEY,
    display_name TEXT NOT NULL,
    role TEXT NOT NULL,
    source TEXT NOT NULL,
    password_hash TEXT,
    disabled INTEGER NOT NULL,
    must_change_password INTEGER NOT NULL,
    created_at INTEGER,
    last_login_at INTEGER
);

-- Who changed what.
CREATE TABLE sluice_audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    user_name TEXT NOT NULL,
    address TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    before_text TEXT,
    after_text TEXT,
    outcome TEXT NOT NULL,
    detail TEXT
);

-- Spring Session's sessions.
CREATE TABLE SPRING_SESSION (
    primary_id TEXT NOT NULL PRIMARY KEY,
    session_id TEXT NOT NULL,
    creation_time INTEGER NOT NULL,
    last_access_time INTEGER NOT NULL,
    max_inactive_interval INTEGER NOT NULL,
    expiry_time INTEGER NOT NULL,
    principal_name TEXT,
    UNIQUE (session_id)
);

-- Their attributes.
CREATE TABLE SPRING_SESSION_ATTRIBUTES (
    session_primary_id TEXT NOT NULL,
    attribute_name TEXT NOT NULL,
    attribute_bytes BLOB NOT NULL,
    PRIMARY KEY (session_primary_id, attribute_name),
    FOREIGN KEY (session_primary_id) REFERENCES SPRING_SESSION (primary_id) ON DELETE CASCADE
);

CREATE INDEX sluice_audit_user_name ON sluice_audit (user_name);
CREATE INDEX sluice_audit_at ON sluice_audit (at);
CREATE INDEX spring_session_expiry_time ON SPRING_SESSION (expiry_time);
CREATE INDEX spring_session_principal_name ON SPRING_SESSION (principal_name);
