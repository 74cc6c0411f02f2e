package io.sluice.stream.source;

import io.sluice.testkit.mysql.ServerRelease;

class MariaDb1011SourceIT extends MariaDbSource {
    MariaDb1011SourceIT() {
        super(ServerRelease.MARIADB_10_11);
    }
}
