package io.sluice.testkit.mysql;

import java.util.EnumSet;
import java.util.Set;

/**
 * A server that tests can start.
 *
 * <p>Releases with three numbers come out of the Maven repository: they never change and are always there. Releases with two
 * come out of the Debian archive, with the patch release that is there today. When one is not available, starting it
 * throws {@link io.sluice.testkit.debian.ServerUnavailableException}, which makes a test skipped.
 */
public enum ServerRelease {
    /** Without roles, instant DDL, {@code caching_sha2_password} and a protocol of TLS that Java still speaks. */
    MYSQL_5_7_22("mysql-5.7.22"),
    /** Without compressed transactions. */
    MYSQL_8_0_15("mysql-8.0.15"),
    /** The one that most tests use. */
    MYSQL_8_0_31("mysql-8.0.31"),
    /** From the suite sid. Without {@code mysql_native_password} and the statements with master or slave in them. */
    MYSQL_9_7("mysql-9.7"),
    /** From the suite bookworm. */
    MARIADB_10_11("mariadb-10.11"),
    /** From the suite trixie. */
    MARIADB_11_8("mariadb-11.8");

    private final String folder;

    ServerRelease(String folder) {
        this.folder = folder;
    }

    /** Whether it is a MariaDB, with its own GTIDs and events. */
    public boolean isMariaDb() {
        return this == MARIADB_10_11 || this == MARIADB_11_8;
    }

    /** The ways in which users can log in to it. */
    public Set<AuthPlugin> authPlugins() {
        return switch (this) {
            // sha256_password is there too, but requires TLS, of a version that Java does not speak any more.
            case MYSQL_5_7_22, MARIADB_10_11, MARIADB_11_8 -> EnumSet.of(AuthPlugin.MYSQL_NATIVE_PASSWORD);
            case MYSQL_8_0_15, MYSQL_8_0_31 -> EnumSet.allOf(AuthPlugin.class);
            case MYSQL_9_7 -> EnumSet.of(AuthPlugin.CACHING_SHA2_PASSWORD, AuthPlugin.SHA256_PASSWORD);
        };
    }

    /** Whether it speaks TLS, with a certificate that it has made for itself. */
    public boolean hasTls() {
        return this != MYSQL_5_7_22;
    }

    /** The folder below the servers' folder in which it is unpacked. */
    String folder() {
        return folder;
    }
}
