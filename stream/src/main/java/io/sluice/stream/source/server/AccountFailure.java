package io.sluice.stream.source.server;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.query.QueryResult;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Explains failures for which the account of a source, or its password, is the reason: states which privileges it needs. */
public final class AccountFailure {
    private static final int ACCESS_DENIED = 1045;

    /** Of MySQL and MariaDB: by an operator, and after failed logins. */
    private static final Set<Integer> LOCKED = Set.of(3118, 4151, 3955, 4150);

    /** For a database, a table, a column, a global privilege, a procedure. */
    private static final Set<Integer> MISSING_PRIVILEGE = Set.of(1044, 1142, 1143, 1227, 1370);

    /** To read the binlog. */
    public static final String REPLICATION_SLAVE = "REPLICATION SLAVE";

    /** To list the files of the binlog, and to query its end. */
    public static final String REPLICATION_CLIENT = "REPLICATION CLIENT";

    /** As {@link #grant} names it. */
    private static final Pattern ACCOUNT = Pattern.compile(" TO '.*'@'[^']*'", Pattern.DOTALL);

    static final String CURRENT_USER = "SELECT CURRENT_USER()";

    private static final String BLANK_PASSWORD =
            "canal.instance.dbPassword is blank, as it is if a variable that it names is not set";

    /** The password of a configuration that has none, as with canal. */
    private static final String DEFAULT_PASSWORD = "retl";

    private static final String NO_PASSWORD =
            "canal.instance.dbPassword is not set, or is retl, which is canal's default and was used; ";

    private AccountFailure() {}

    /** Whether the account lacks a privilege for a statement. */
    public static boolean isMissingPrivilege(ServerErrorException error) {
        return MISSING_PRIVILEGE.contains(error.errno());
    }

    /**
     * Adds the remedy to an error of the server that concerns the account; returns others as they are.
     *
     * @param account the account by which the server has accepted the login, quoted as in GRANT; null if it is not known
     */
    public static Throwable explained(Throwable thrown, ConnectOptions login, @Nullable String account) {
        if (!(thrown instanceof ServerErrorException error)) {
            return thrown;
        }
        String message = String.valueOf(error.getMessage());
        if (error.isDumpDenied()) {
            return new SourceException(
                    SourceFailure.MISCONFIGURED, message, grant(REPLICATION_SLAVE, known(login, account)), error);
        }
        if (isMissingPrivilege(error)) {
            return new SourceException(FailureClassifier.of(error), message, grant(login, account), error);
        }
        if (LOCKED.contains(error.errno())) {
            return new SourceException(
                    SourceFailure.AUTHENTICATION,
                    message,
                    "correct canal.instance.dbPassword, or stop the instance, and then unlock the account at the source: logins with a wrong password may lock it again",
                    error);
        }
        if (error.errno() == ServerErrorException.PLUGIN_NOT_LOADED) {
            return new SourceException(FailureClassifier.of(error), message, otherPlugin(error, login), error);
        }
        if (error.errno() != ACCESS_DENIED) {
            return thrown;
        }
        String blank = login.password().isEmpty()
                ? BLANK_PASSWORD + "; "
                : login.password().equals(DEFAULT_PASSWORD) ? NO_PASSWORD : "";
        return new SourceException(
                SourceFailure.AUTHENTICATION,
                message,
                "%s%s; if there is no such account, create it, and %s"
                        .formatted(blank, SourceFailure.AUTHENTICATION.remedy(), grant(login, account)),
                error);
    }

    /** MySQL 8.4 has {@code mysql_native_password} switched off, and 9.0 does not have it. */
    private static String otherPlugin(ServerErrorException error, ConnectOptions login) {
        return error.serverMessage().contains("mysql_native_password")
                ? "run on the source: ALTER USER %s IDENTIFIED WITH caching_sha2_password BY '...', with the password of"
                                .formatted(known(login, null))
                        + " canal.instance.dbPassword; MySQL 8.4 accepts the account as it is with"
                        + " mysql_native_password=ON in its configuration"
                : "give the account a plugin at the source that the server has loaded";
    }

    /** Returns the account by which a server has accepted the login, quoted as in GRANT; null if it names none. */
    public static @Nullable String account(MySqlConnection connection) throws IOException {
        return account(connection.query(CURRENT_USER));
    }

    /** Returns the account that the answer to {@link #CURRENT_USER} names. */
    static @Nullable String account(QueryResult answer) {
        QueryResult.Row row = answer.firstRow();
        String text = row == null ? null : row.text(0);
        int at = text == null ? -1 : text.lastIndexOf('@');
        return text == null || at < 0 ? null : "'%s'@'%s'".formatted(text.substring(0, at), text.substring(at + 1));
    }

    /** The remedy for an account that lacks a privilege: all that it needs. */
    public static String grant(ConnectOptions login, @Nullable String account) {
        return grant("SELECT, REPLICATION SLAVE, REPLICATION CLIENT", known(login, account));
    }

    /**
     * The remedy for an account that lacks privileges.
     *
     * @param account quoted as in GRANT
     */
    public static String grant(String privileges, String account) {
        return "run on the source: GRANT %s ON *.* TO %s".formatted(privileges, account);
    }

    /**
     * Returns the remedy for a failure of the source as a reader may see it that has not logged in: without the account, and of a rejected login that of
     * all such failures, since the one of the error may tell that the password is blank, or is a known one.
     */
    public static String publicRemedy(SourceFailure failure, String remedy) {
        return failure == SourceFailure.AUTHENTICATION
                ? failure.remedy()
                : ACCOUNT.matcher(remedy).replaceAll(" TO the account of the instance");
    }

    private static String known(ConnectOptions login, @Nullable String account) {
        return account == null ? "'%s'@'%%'".formatted(login.user()) : account;
    }
}
