package io.sluice.admin.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.admin.problem.StartProblem;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:mysql://127.0.0.1:3306/manager                            | jdbc:mysql://127.0.0.1:3306/manager
            jdbc:mysql://db/manager?password=hunter2&useSSL=true           | jdbc:mysql://db/manager
            jdbc:mysql://db?user=u&password=a/b@c                          | jdbc:mysql://db
            jdbc:mariadb:loadbalance://a:1,[2001:db8::1]:2/m?password=x    | jdbc:mariadb:loadbalance://a:1,[2001:db8::1]:2/m
            jdbc:mariadb:///m?localSocket=/run/mysqld.sock&password=x      | jdbc:mariadb:///m
            jdbc:mariadb://address=(host=db)(port=3306)(type=primary)/m?x  | jdbc:mariadb://address=(host=db)(port=3306)(type=primary)/m
            jdbc:mysql:///u:hunter2@db/manager                             | of sluice.database.url
            jdbc:mysql://u:hunter2@db:3306/manager                         | of sluice.database.url
            jdbc:mysql://u:1/hunter2@db/manager                            | of sluice.database.url
            jdbc:mysql://address=(host=db)(password=hunter2)/manager       | of sluice.database.url
            jdbc:other://db/manager;password=hunter2                       | of sluice.database.url
            jdbc:mysql:hunter2                                             | of sluice.database.url
            """)
    void hostsAndSchemaAreShownAndNothingElse(String url, String shown) {
        DatabaseProperties properties = properties(url);

        assertThat(properties.shownName()).isEqualTo(shown);
        assertThat(properties).hasToString("DatabaseProperties[url=" + shown + ", user=u, file=f]");
    }

    @Test
    void aFileIsItsOwnName() {
        assertThat(properties(null).shownName()).isEqualTo("f");
    }

    /** Whatever the driver says of it: its errors quote URLs and ports that it cannot parse. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://127.0.0.1:1/x?password=hunter2",
                "jdbc:mysql://127.0.0.1:1/x?useCatalogTerm=y&password=hunter2",
                "jdbc:mysql://u:hunter2@127.0.0.1:1/x",
                "jdbc:mysql:127.0.0.1?password=hunter2",
                "jdbc:other://127.0.0.1:1/x?password=hunter2",
                "jdbc:mysql://address=(host=127.0.0.1)(port=1)(hunter2)/x"
            })
    void aDatabaseThatCannotBeUsedIsReportedWithoutItsPasswords(String url) {
        DatabaseConfiguration configuration = new DatabaseConfiguration();

        assertThatExceptionOfType(StartProblem.class)
                .isThrownBy(() -> configuration.dataSource(properties(url)))
                .satisfies(problem -> assertThat(problem.getMessage())
                        .startsWith("The database " + properties(url).shownName() + " cannot be used: ")
                        .doesNotContain("hunter2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb://address=(host=127.0.0.1)(port=1)/manager",
                "jdbc:mariadb://address=(host=127.0.0.1)(port=1)(type=primary)/manager?password=hunter2",
                "jdbc:mysql://127.0.0.1:1/manager;password=hunter2"
            })
    void theCauseIsShown(String url) {
        DatabaseConfiguration configuration = new DatabaseConfiguration();

        assertThatExceptionOfType(StartProblem.class)
                .isThrownBy(() -> configuration.dataSource(properties(url)))
                .withMessageEndingWith(": Connection refused");
    }

    @Test
    void aMessageWithAPartOfAUrlOfAnotherFormIsReplacedByItsCodes() {
        DatabaseUrl url = new DatabaseUrl("jdbc:mysql://u:hun%41ter2@db/manager");

        for (String message : new String[] {"is hun%41ter2 a port?", "is hunAter2 a port?"}) {
            SQLException failure = new SQLException("no connection", new SQLException(message, "28000", 1045));

            assertThat(url.shownIn(failure))
                    .startsWith("java.sql.SQLException (SQLState 28000, error 1045): its message is not shown");
        }
        assertThat(url.shownIn(new SQLException("Access denied for user 'u'@'db'", "28000", 1045)))
                .isEqualTo("java.sql.SQLException (SQLState 28000, error 1045): Access denied for user 'u'@'db'");
    }

    private static DatabaseProperties properties(String url) {
        return new DatabaseProperties(url, "u", "p", "f");
    }
}
