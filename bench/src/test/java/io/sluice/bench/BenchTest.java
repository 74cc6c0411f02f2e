package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BenchTest {
    private final StringWriter errors = new StringWriter();
    private final CommandLine commandLine =
            Bench.commandLine().setErr(new PrintWriter(new BufferedWriter(errors, 1 << 20), true));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "e2e --package A.tar.gz --package new=B.tar.gz --cells 12 --runs 3 --page results.md",
                "e2e --workload mixed,batch --format raw,debezium --routing 1x1,1x3,1x256,topics,topics200 --compression lz4,zstd,gzip --delay 20 --broker null --threads --rows 5000",
                "latency --loads idle,1000 --format flat --seconds 4",
                "stage --until read,encode,send --workload batch --no-check",
                "micro DecodeBench.flat --other ../old --turns 3 -p workload=MIXED",
            })
    void acceptsTheCommandsOfTheReadme(String line) {
        assertThat(commandLine.parseArgs(line.split(" ")).errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "e2e --runs x, '--runs'",
        "e2e --routing 2x2, '2x2'",
        "e2e --routing 1x0, '1x0'",
        "e2e --routing topics0, 'topics0'",
        "e2e --format yaml, 'yaml'",
        "e2e --cells 3, '--cells 3'",
        "e2e --delay -1, '--delay'",
        "e2e --broker null --peer peer.sh, '--peer'",
        "e2e --peers-only, '--peers-only'",
        "e2e --package missing.tar.gz, 'missing.tar.gz'",
        "latency --loads fast, 'fast'",
        "stage --until end, 'end'",
        "slow, 'slow'",
    })
    void aWrongCommandEndsWithStatus2AndNamesTheMistake(String line, String mistake) {
        assertThat(commandLine.execute(line.split(" "))).isEqualTo(2);
        assertThat(errors.toString()).contains(mistake);
    }

    /** As on a terminal: the process ends with the status, so what was not written by then is lost. */
    @Test
    void aFailureIsWrittenWithItsStackBeforeTheEnd() {
        commandLine.addSubcommand("fail", new Failing()).setErr(commandLine.getErr());

        assertThat(commandLine.execute("fail")).isEqualTo(1);
        assertThat(errors.toString()).contains("no such server", "Failing.call");
    }

    @CommandLine.Command
    private static final class Failing implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new IllegalStateException("no such server");
        }
    }
}
