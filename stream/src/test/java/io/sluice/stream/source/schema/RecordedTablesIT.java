package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Commands;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A schema history that begins with many tables, in a heap of 64 MiB. */
class RecordedTablesIT {
    private static MySqlServer server;

    @BeforeAll
    static void start() {
        server = MySqlServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void forget() {
        server.execute("drop database if exists history");
    }

    /** There is room for the schemas of all of them, but not for their text besides, several times. */
    @Test
    void whatMemoryHasNoRoomForIsTooLargeAndTheRestIsWritten() throws Exception {
        String output = begin(5_500);

        assertThat(output).contains("too large: what is kept of 5500 tables exceeds the limit of");
        int most = Integer.parseInt(output.replaceAll("(?s).* with (\\d+) rows so far.*", "$1")) - 1;
        assertThat(begin(most)).endsWith("recorded=" + most);
    }

    /** There is room for either half of them. */
    @Test
    void tablesThatAreNewToTheFilterCountTogetherWithTheOthers() throws Exception {
        String output = begin(4_000, "shop\\.t1?[0-9]{1,3}");

        assertThat(output)
                .contains("recorded=2000")
                .contains("too large: what is kept of 4000 tables exceeds the limit of");
    }

    private static String begin(int tables, String... filter) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Commands.java(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                RecordedTablesProgram.class.getName(),
                server.host(),
                Integer.toString(server.port()),
                Integer.toString(tables)));
        command.addAll(List.of(filter));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }
}
