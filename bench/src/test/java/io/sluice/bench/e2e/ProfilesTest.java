package io.sluice.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilesTest {
    private static final Cell CELL =
            new Cell(Workload.usual(WorkloadKind.BATCH), Form.RAW, Layout.SINGLE, Compression.NONE);

    @TempDir
    private Path folder;

    private Path target;
    private Profiles profiles;

    @BeforeEach
    void prepare() throws IOException {
        target = folder.resolve("out");
        profiles = new Profiles(folder.resolve("work"));
    }

    @Test
    void whatAJvmSpentBecomesATableAndAPicture() throws Exception {
        for (int i = 0; i < 2; i++) {
            run(profiles.optionOfNext());
            profiles.takeLast(CELL);
        }
        profiles.write(target);

        String table = Files.readString(target.resolve("profile.md"));
        assertThat(table).contains("| % | batch raw 1x1 none |", "![batch raw 1x1 none](batch-raw-1x1-none.svg)");
        Matcher start = Pattern.compile("\\| the JVM's start \\| ([0-9.]+) \\|").matcher(table);
        assertThat(start.find()).isTrue();
        assertThat(Double.parseDouble(start.group(1))).isGreaterThan(30);
        assertThat(target.resolve("batch-raw-1x1-none.svg"))
                .content()
                .contains("io.sluice.bench.e2e.ProfilesTest$Busy.spend");
    }

    @Test
    void runsThatLeftNoSamplesAreSaid() throws IOException {
        assertThat(profiles.optionOfNext()).startsWith("-agentpath:");
        profiles.takeLast(CELL);

        assertThatThrownBy(() -> profiles.write(target))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("samples");
    }

    @ParameterizedTest
    @ValueSource(strings = {"my work", "a,b", "a=b", "100%"})
    void aFolderThatCannotStandInAnOptionIsSaid(String name) {
        assertThatThrownBy(() -> new Profiles(folder.resolve(name)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(name);
    }

    private void run(String option) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process busy = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        option,
                        "-Xint",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Busy.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(busy.waitFor()).as(Files.readString(output)).isZero();
    }

    /** A program that spends half a second of processor time in its main thread. */
    static final class Busy {
        private Busy() {}

        public static void main(String[] arguments) {
            System.out.println(spend());
        }

        private static long spend() {
            byte[] bytes = new byte[1 << 12];
            new Random(1).nextBytes(bytes);
            CRC32 sum = new CRC32();
            while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < 500_000_000L) {
                for (byte next : bytes) {
                    sum.update(next);
                }
            }
            return sum.getValue();
        }
    }
}
