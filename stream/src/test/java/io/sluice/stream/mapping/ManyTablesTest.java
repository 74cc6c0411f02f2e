package io.sluice.stream.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.stream.mapping.ManyTables.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of tables and of table ids that a stream has had does not matter to memory. */
@Tag("thorough")
class ManyTablesTest {
    @ParameterizedTest
    @CsvSource({
        "DROPPED, 10000, 48, 0, 8192",
        "LEFT_OUT, 200000, 48, 20000, 8192",
        "SAME_COLUMNS, 200000, 320, 20000, 8192",
        "IDS, 800000, 48, 400, 8194",
        "UNKNOWN, 100000, 32, 0, 8192",
    })
    @Timeout(180)
    void aSmallHeapIsEnough(Kind kind, int count, int heapMegabytes, int mostTables, int mostIds) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heapMegabytes + "m",
                        "-XX:+UseSerialGC",
                        "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        ManyTables.class.getName(),
                        kind.name(),
                        String.valueOf(count))
                .redirectErrorStream(true)
                .start();
        List<String> output;
        try (var in = process.getInputStream()) {
            output = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);

        List<String> last = output.subList(Math.max(0, output.size() - 2), output.size());
        assertThat(ended && process.exitValue() == 0)
                .as("%s", output.subList(Math.max(0, output.size() - 20), output.size()))
                .isTrue();
        assertThat(numberOf(last.get(0), "tables ")).isLessThanOrEqualTo(mostTables);
        assertThat(numberOf(last.get(1), "ids ")).isLessThanOrEqualTo(mostIds);
    }

    private static int numberOf(String line, String label) {
        assertThat(line).startsWith(label);
        return Integer.parseInt(line.substring(label.length()));
    }
}
