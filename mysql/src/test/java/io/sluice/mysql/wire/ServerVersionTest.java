package io.sluice.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerVersionTest {
    @ParameterizedTest
    @CsvSource({
        "8.0.31, 8, 0, 31, false",
        "5.7.22-log, 5, 7, 22, false",
        "5.5.5-10.11.18-MariaDB-log, 10, 11, 18, true",
        "11.8.6-MariaDB-5 from Debian, 11, 8, 6, true",
        "5.6.29-TDDL-5.4.18, 5, 6, 29, false",
        "8.4, 8, 4, 0, false",
        "8.0.36-28, 8, 0, 36, false",
        "5.7.44-48-log, 5, 7, 44, false",
        "8.0.31-23.1, 8, 0, 31, false",
        "8.0.mysql_aurora.3.05.2, 8, 0, 0, false",
        "8.0.36-cloud-google, 8, 0, 36, false",
        "8.0.30-txsql, 8, 0, 30, false",
        "5.7.32-vitess, 5, 7, 32, false",
        "8.0.11-TiDB-v7.5.0, 8, 0, 11, false",
        "5.6.47.0, 5, 6, 47, false",
        "9.7.4-2, 9, 7, 4, false",
        "10.6.16-MariaDB-log, 10, 6, 16, true",
        "5.5.5-10.4.32-MariaDB-1:10.4.32+maria~ubu2004, 10, 4, 32, true",
        "5.5.5-11.4.5-3-MariaDB-enterprise-log, 11, 4, 5, true",
        "some proxy, 0, 0, 0, false",
        "99999999999.1.1, 0, 0, 0, false",
    })
    void parsesVersionsOfServers(String text, int major, int minor, int patch, boolean mariaDb) {
        assertThat(ServerVersion.parse(text)).isEqualTo(new ServerVersion(major, minor, patch, text, mariaDb));
    }

    @Test
    void comparesNumberByNumber() {
        ServerVersion version = ServerVersion.parse("8.0.31");

        assertThat(version.atLeast(8, 0, 31)).isTrue();
        assertThat(version.atLeast(5, 7, 40)).isTrue();
        assertThat(version.atLeast(8, 0, 32)).isFalse();
        assertThat(version.atLeast(8, 4, 0)).isFalse();
        assertThat(version.atLeast(9, 0, 0)).isFalse();
    }
}
