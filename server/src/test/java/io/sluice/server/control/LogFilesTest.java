package io.sluice.server.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFilesTest {
    private static final int LIMIT = LogFiles.MAX_TAIL_BYTES;

    @TempDir
    Path home;

    private LogFiles logs;

    @BeforeEach
    void writeLogs() throws IOException {
        write("secret.log", "a password\n");
        write("logs/canal/canal.log", "first\nsecond\nthird\n");
        write("logs/shop/shop.log", "of the shop\n");
        logs = new LogFiles(home.resolve("logs"));
    }

    private Path write(String file, String text) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    @Test
    void theLastLinesAreThoseBeforeTheEnd() throws IOException {
        assertThat(logs.tail("canal", "", 2)).isEqualTo("second\nthird");
        assertThat(logs.tail("canal", "canal.log", 1)).isEqualTo("third");
        assertThat(logs.tail("canal", "", 3)).isEqualTo("first\nsecond\nthird");
        assertThat(logs.tail("canal", "", Integer.MAX_VALUE)).isEqualTo("first\nsecond\nthird");
        assertThat(logs.tail("canal", "", 0)).isEmpty();
        assertThat(logs.tail("canal", "", Integer.MIN_VALUE)).isEmpty();
        assertThat(logs.tail("shop", "", 100)).isEqualTo("of the shop");
    }

    @Test
    void emptyLinesAndALineThatIsBeingWrittenCount() throws IOException {
        write("logs/canal/canal.log", "first\n\n\nhalf a li");
        assertThat(logs.tail("canal", "", 1)).isEqualTo("half a li");
        assertThat(logs.tail("canal", "", 2)).isEqualTo("\nhalf a li");
        assertThat(logs.tail("canal", "", 4)).isEqualTo("first\n\n\nhalf a li");
        write("logs/canal/canal.log", "");
        assertThat(logs.tail("canal", "", 5)).isEmpty();
        write("logs/canal/canal.log", "\n");
        assertThat(logs.tail("canal", "", 5)).isEmpty();
    }

    @Test
    void aTailIsLimitedInBytesAndCutAtACharacter() throws IOException {
        // Each line has 12 bytes: 3 characters of 3 bytes each, and more.
        String line = "値段は  \n";
        assertThat(line.getBytes(StandardCharsets.UTF_8)).hasSize(12);
        int lines = LIMIT / 12 + 100;
        write("logs/canal/canal.log", line.repeat(lines));

        String tail = logs.tail("canal", "", Integer.MAX_VALUE);

        // 4 MiB are 349525 lines and 4 bytes, of which the first is within a line, after its first two characters.
        assertThat(tail).doesNotContain("\uFFFD").startsWith("  \n値段は").endsWith("値段は  ");
        assertThat(tail.getBytes(StandardCharsets.UTF_8).length).isBetween(LIMIT - 4, LIMIT);

        write("logs/canal/canal.log", "😀".repeat(LIMIT / 4 + 7) + "!");
        assertThat(logs.tail("canal", "", 1))
                .doesNotContain("\uFFFD")
                .startsWith("😀")
                .endsWith("!");
    }

    @Test
    void whatIsNoTextIsReplaced() throws IOException {
        Files.write(home.resolve("logs/canal/canal.log"), new byte[] {'a', (byte) 0xFF, 'b', '\n'});
        assertThat(logs.tail("canal", "", 1)).isEqualTo("a\uFFFDb");
    }

    @Test
    void namesAreThoseOfLogsWithTheirArchives() throws IOException {
        write("logs/shop/meta.log", "");
        write("logs/shop/2026-03-01/shop-2026-03-01-0.log.gz", "");
        write("logs/shop/2026-03-02/shop-2026-03-02-0.log.gz", "");
        write("logs/shop/gc.log.3", "");
        write("logs/shop/heap.hprof", "a password");
        write("logs/shop/a/b/too-deep.log", "");
        write("logs/shop/with,comma.log", "");
        Files.createSymbolicLink(home.resolve("logs/shop/outside.log"), home.resolve("secret.log"));
        Files.createSymbolicLink(home.resolve("logs/shop/2026-03-03"), home);

        assertThat(logs.names("shop"))
                .containsExactly(
                        "gc.log.3", "meta.log", "shop-2026-03-01-0.log.gz", "shop-2026-03-02-0.log.gz", "shop.log");
        assertThat(logs.names("silent")).isEmpty();
        assertThat(new LogFiles(home.resolve("nowhere")).names("canal")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../secret.log",
                "../../secret.log",
                "..",
                ".",
                "/etc/passwd",
                "/secret.log",
                "..\\secret.log",
                "C:secret.log",
                "2026/shop.log",
                "shop.log/",
                "shop.log\0",
                "shop\n.log",
                "heap.hprof",
                "started",
                ".log",
                "shop.log.gz",
            })
    void aNameThatIsNotPlainIsRefused(String name) throws IOException {
        write("logs/shop/heap.hprof", "a password");
        write("logs/shop/2026/shop.log", "");
        write("logs/shop/started", "");
        write("logs/shop/shop.log.gz", "");

        assertThatThrownBy(() -> logs.tail("shop", name, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining(home.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "..", ".", "../logs/shop", "/", "shop/..", "shop/", "sh\\op", "shop\0", ".."})
    void aDestinationThatIsNotPlainIsRefused(String name) {
        assertThatThrownBy(() -> logs.tail(name, "shop.log", 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> logs.names(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void linksMustNotLeadOut() throws IOException {
        Path shop = home.resolve("logs/shop");
        Files.createSymbolicLink(shop.resolve("outside.log"), home.resolve("secret.log"));
        Files.createSymbolicLink(shop.resolve("other.log"), home.resolve("logs/canal/canal.log"));
        Files.createSymbolicLink(shop.resolve("inside.log"), Path.of("shop.log"));
        Files.createSymbolicLink(home.resolve("logs/linked"), home);
        Files.createSymbolicLink(shop.resolve("dangling.log"), home.resolve("nothing"));

        for (String file : new String[] {"outside.log", "other.log"}) {
            assertThatThrownBy(() -> logs.tail("shop", file, 10))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("leads out");
        }
        assertThatThrownBy(() -> logs.tail("linked", "secret.log", 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leads out");
        assertThatThrownBy(() -> logs.names("linked")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> logs.tail("shop", "dangling.log", 10)).isInstanceOf(NoSuchFileException.class);
        assertThat(logs.tail("shop", "inside.log", 10)).isEqualTo("of the shop");
    }

    @Test
    void theDirectoryOfAllLogsMayBeALink() throws IOException {
        Path elsewhere = Files.createSymbolicLink(home.resolve("link"), home.resolve("logs"));
        assertThat(new LogFiles(elsewhere).tail("shop", "", 1)).isEqualTo("of the shop");
    }

    @Test
    void aDirectoryIsNoFile() throws IOException {
        Files.createDirectories(home.resolve("logs/shop/dir.log"));
        assertThatThrownBy(() -> logs.tail("shop", "dir.log", 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNotThereIsNamedWithoutItsPath() {
        assertThatThrownBy(() -> logs.tail("shop", "other.log", 1))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage("other.log: there is no such log");
        assertThatThrownBy(() -> logs.tail("silent", "", 1))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage("silent: there is no such log");
    }

    @Test
    void aTailOfALargeFileHasTheLinesAskedFor() throws IOException {
        write(
                "logs/canal/canal.log",
                IntStream.range(0, 500_000).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining()));
        String tail = logs.tail("canal", "", 100);
        assertThat(tail.lines().count()).isEqualTo(100);
        assertThat(tail).startsWith("line 499900\n").endsWith("line 499999");
    }
}
