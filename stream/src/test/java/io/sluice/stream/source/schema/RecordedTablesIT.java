package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Commands;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams with many tables and a schema history, in small heaps with the options of the package. */
class RecordedTablesIT {
    private static final int COLUMNS = 40;
    private static final Pattern LIMIT = Pattern.compile("need about (\\d+) MiB of heap, and there are (\\d+) MiB");

    /** Of each thousand tables the first three hundred. */
    private static final String PART = "shop\\.t([0-9]+[0-2][0-9]{2}|[0-2]?[0-9]{1,2})";

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

    /** The error names the heap that has room for all. */
    @Test
    void whatMemoryHasNoRoomForNamesTheHeapThatHas() throws Exception {
        String output = run(64, 5_500, "");

        assertThat(output)
                .contains("too large: the schemas of 5500 tables need about ")
                .contains("; if it is the source, raise -Xmx to ");
        assertThat(run(Integer.parseInt(output.replaceAll("(?s).*-Xmx to (\\d+)m", "$1")), 5_500, ""))
                .endsWith("written=5500");
    }

    /** As many tables as are read at all: they are written, restored, and written again. */
    @Test
    void whatHasJustRoomIsWrittenAndRestored() throws Exception {
        whatHasJustRoom(64);
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 256, 384})
    @Tag("thorough")
    void whatHasJustRoomInALargerHeapIsWrittenAndRestored(int mebibytes) throws Exception {
        whatHasJustRoom(mebibytes);
    }

    private void whatHasJustRoom(int mebibytes) throws Exception {
        int many = 80 * mebibytes;
        Matcher limit = LIMIT.matcher(run(mebibytes, many, ""));
        assertThat(limit.find()).isTrue();
        int most = (int) (many * Long.parseLong(limit.group(2)) / Long.parseLong(limit.group(1)));
        forget();

        assertThat(run(mebibytes, most, "", "").lines().filter(line -> line.matches("(recorded|written)=\\d+")))
                .containsExactly("recorded=" + most, "recorded=" + most, "written=" + most);
    }

    /** There is room for either part of them. */
    @Test
    void tablesThatAreNewToTheFilterCountTogetherWithTheOthers() throws Exception {
        String output = run(64, 5_000, PART, "");

        assertThat(output).contains("recorded=1500").contains("too large: the schemas of 5000 tables need about ");
    }

    /** As many as are read at once. */
    @Test
    void tablesThatAreNewToTheFilterHaveAsMuchRoomAsThoseThatAreReadAtOnce() throws Exception {
        addedTo(64, 1_700, 40);
    }

    @Test
    @Tag("thorough")
    void manyTablesAreAddedInAHeapOf384MiB() throws Exception {
        addedTo(384, 19_500, 38);
    }

    private static void addedTo(int mebibytes, int tables, int columns) throws Exception {
        assertThat(start(mebibytes, tables, columns, PART, ""))
                .contains("recorded=" + tables)
                .endsWith("written=" + tables);
    }

    private static String run(int mebibytes, int tables, String... filters) throws Exception {
        return start(mebibytes, tables, COLUMNS, filters);
    }

    private static String start(int mebibytes, int tables, int columns, String... filters) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Commands.java(),
                "-Xmx" + mebibytes + "m",
                "-XX:MaxNewSize=" + Math.min(160, mebibytes * 5 / 12) + "m", // as startup.sh has it
                "-XX:+UseParallelGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                RecordedTablesProgram.class.getName(),
                server.host() + ":" + server.port(),
                Integer.toString(tables),
                Integer.toString(columns)));
        command.addAll(List.of(filters));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }
}
