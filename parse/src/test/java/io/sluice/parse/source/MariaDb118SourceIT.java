package io.sluice.parse.source;

import io.sluice.testkit.mysql.ServerRelease;

class MariaDb118SourceIT extends MariaDbSource {
    MariaDb118SourceIT() {
        super(ServerRelease.MARIADB_11_8);
    }
}
