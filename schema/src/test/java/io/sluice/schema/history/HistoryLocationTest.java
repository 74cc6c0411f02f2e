package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryLocationTest {
    private static final Path BASE = Path.of("/data/conf");

    @Test
    void aLoginInTheUrlIsRejectedWithoutShowingIt() {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:mysql://root:hunter2@db:33x/history", Path.of("/")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("canal.instance.tsdb.dbPassword")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h1:3306,h2:3306", "h1,h2", "h1,h2:3306"})
    void severalServersAreRejected(String servers) {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:mysql://" + servers + "/history", Path.of("/")))
                .hasMessageStartingWith("names several servers, and the history is on one");
    }

    @Test
    void settingsOfH2AreNotShown() {
        assertThat(HistoryLocation.parse("jdbc:h2:/data/h2;PASSWORD=hunter2", Path.of("/")))
                .hasToString("LocalFile[file=/data/h2.sqlite, h2=/data/h2]");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:../shop/h2;CACHE_SIZE=1000;MODE=MYSQL;, /data/shop/h2.sqlite, /data/shop/h2, ;CACHE_SIZE=1000;MODE=MYSQL",
        "jdbc:h2:file:/d/h2, /d/h2.sqlite, /d/h2, ''",
        "jdbc:sqlite:/d/shop.sqlite, /d/shop.sqlite, /d/shop, ''",
        "jdbc:sqlite:file:shop.db?cache=shared, /data/conf/shop.db, /data/conf/shop.db, ''",
    })
    void namesALocalFile(String url, Path file, Path h2, String settings) {
        assertThat(HistoryLocation.parse(url, BASE)).isEqualTo(new HistoryLocation.LocalFile(file, h2, settings));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:mem:x", "jdbc:h2:tcp://h/x", "jdbc:sqlite::memory:", "jdbc:sqlite:", "jdbc:h2:/"})
    void rejectsWhatIsNoFileOfThisMachine(String url) {
        assertThatThrownBy(() -> HistoryLocation.parse(url, BASE)).isInstanceOf(IllegalArgumentException.class);
    }

    /** H2 would take what follows for settings, of which INIT runs statements. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite:/d/a;INIT=x",
                "jdbc:sqlite:/d;INIT=x/a.mv.db",
                "jdbc:h2:/d/a\nb",
                "jdbc:sqlite:/d/a\rb"
            })
    void rejectsWhatIsMoreThanAPath(String url) {
        assertThatThrownBy(() -> HistoryLocation.parse(url, BASE))
                .hasMessage("names a file with a semicolon or a control character in its path");
    }

    @Test
    void rejectsADirectoryThatIsMoreThanAPath() {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:h2:h2", Path.of("/data;INIT=x")))
                .hasMessage("names a file with a semicolon or a control character in its path");
    }

    @Test
    void reportsTheAllowedUrls() {
        assertThatThrownBy(() -> HistoryLocation.parse("jdbc:postgresql://h/x", BASE))
                .hasMessage("must be jdbc:h2:<file>, jdbc:sqlite:<file> or jdbc:mysql://<host>:<port>/<schema>");
    }
}
