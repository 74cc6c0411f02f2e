package io.sluice.testkit.mysql;

/** A server that the build unpacks. */
public enum MySqlVersion {
    /** The version that most tests use. */
    MYSQL_8_0_31("mysql-8.0.31");

    private final String folder;

    MySqlVersion(String folder) {
        this.folder = folder;
    }

    /** The folder below the servers' folder in which the build puts it. */
    String folder() {
        return folder;
    }
}
