package io.sluice.stream.source;

import io.sluice.testkit.mysql.ServerRelease;
import org.junit.jupiter.api.Tag;

@Tag("thorough")
class MariaDb1011SourceIT extends MariaDbSource {
    MariaDb1011SourceIT() {
        super(ServerRelease.MARIADB_10_11);
    }
}
