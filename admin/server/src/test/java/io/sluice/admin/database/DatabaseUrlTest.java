package io.sluice.admin.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.admin.web.StartProblem;
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

    private static DatabaseProperties properties(String url) {
        return new DatabaseProperties(url, "u", "p", "f");
    }
}
