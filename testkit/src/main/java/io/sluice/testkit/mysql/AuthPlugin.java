package io.sluice.testkit.mysql;

/** How the server checks a user's password. */
public enum AuthPlugin {
    /** The default of MySQL 8. */
    CACHING_SHA2_PASSWORD,
    /** The default of older servers. */
    MYSQL_NATIVE_PASSWORD,
    /** SHA-256 without the cache. */
    SHA256_PASSWORD;

    /** Its name in SQL and in the protocol. */
    public String sqlName() {
        return switch (this) {
            case CACHING_SHA2_PASSWORD -> "caching_sha2_password";
            case MYSQL_NATIVE_PASSWORD -> "mysql_native_password";
            case SHA256_PASSWORD -> "sha256_password";
        };
    }
}
