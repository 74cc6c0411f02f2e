package io.sluice.deployer.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Commands.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit for systemd, and systemd's own judge on it where that is installed. */
class SystemdUnitTest {
    private static final Path PACKAGE =
            Path.of("src/main/package").toAbsolutePath().normalize();
    private static final Path UNIT = PACKAGE.resolve("systemd/sluice.service");
    private static final String HOME = "/opt/sluice";
    /** Tenths of the exposure that systemd-analyze finds, where 0 is none and 100 that of a service without any limits. */
    private static final String MAX_EXPOSURE = "25";

    @Test
    void itStartsTheScriptInTheForegroundAndKnowsItsExitCodes() throws IOException {
        Map<String, List<String>> unit = read();

        assertThat(unit.get("ExecStart")).containsExactly(HOME + "/bin/startup.sh foreground");
        assertThat(PACKAGE.resolve("bin/startup.sh")).isExecutable();
        assertThat(unit.get("RestartPreventExitStatus")).containsExactly("2");
        assertThat(unit.get("SuccessExitStatus")).containsExactly("143");
        assertThat(Integer.parseInt(unit.get("TimeoutStopSec").get(0)))
                .as("longer than stop.sh waits")
                .isGreaterThan(60);
    }

    @Test
    void allThatTheServerWritesMayBeWritten() throws IOException {
        Map<String, List<String>> unit = read();

        assertThat(unit.get("ProtectSystem")).containsExactly("strict");
        assertThat(unit.get("ReadWritePaths").get(0).split(" "))
                .containsExactly(HOME + "/conf", HOME + "/logs", "-" + HOME + "/cache");
        assertThat(unit.get("Environment"))
                .containsExactly(
                        "SLUICE_PID_FILE=/run/" + unit.get("RuntimeDirectory").get(0) + "/sluice.pid");
        assertThat(unit).doesNotContainKeys("MemoryDenyWriteExecute", "NoExecPaths");
    }

    @Test
    void systemdAcceptsItAndFindsLittleExposure(@TempDir Path folder) throws IOException {
        assumeThat(Stream.of(System.getenv("PATH").split(File.pathSeparator)))
                .as("systemd-analyze is installed")
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "systemd-analyze")));
        Path unit = folder.resolve("sluice.service");
        // It looks whether the program exists.
        Files.writeString(unit, Files.readString(UNIT).replace(HOME + "/bin/", PACKAGE + "/bin/"));

        Outcome verified = analyze(folder, "verify", "--man=no", unit.toString());
        assertThat(verified.status()).as(verified.output()).isZero();
        assertThat(verified.output()).doesNotContain("sluice.service");
        Outcome judged = analyze(folder, "security", "--offline=true", "--threshold=" + MAX_EXPOSURE, unit.toString());
        assertThat(judged.status()).as(judged.output()).isZero();
    }

    private static Outcome analyze(Path folder, String... arguments) {
        List<String> command = new ArrayList<>(List.of("systemd-analyze"));
        command.addAll(List.of(arguments));
        return Commands.run(folder, Map.of("SYSTEMD_PAGER", ""), command);
    }

    /** The values of each key, in their order. */
    private static Map<String, List<String>> read() throws IOException {
        Map<String, List<String>> values = new HashMap<>();
        for (String line : Files.readAllLines(UNIT)) {
            if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("[")) {
                String[] pair = line.split("=", 2);
                values.computeIfAbsent(pair[0], first -> new ArrayList<>()).add(pair[1]);
            }
        }
        return values;
    }
}
