package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.wire.Scramble;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two ports of a server that cannot be opened both are a problem of its configuration. */
class ListeningPortsTest {
    private static final List<String> PORTS =
            List.of("canal.port", "canal.metrics.pull.port", "canal.control.port", "canal.admin.port");

    @TempDir
    Path directory;

    private ConfigHome home;
    private final Map<String, String> server = new LinkedHashMap<>();

    /** A server that has all ports, each with its number, on addresses that overlap. */
    @BeforeEach
    void allPorts() {
        home = new ConfigHome(directory);
        home.instance("shop", "canal.instance.master.address = db:3306\ncanal.mq.topic = shop\n");
        server.put("canal.serverMode", "tcp");
        server.put("canal.destinations", "shop");
        server.put("canal.ip", "127.0.0.1");
        server.put("canal.admin.passwd", Scramble.stored("my own"));
        for (int i = 0; i < PORTS.size(); i++) {
            server.put(PORTS.get(i), Integer.toString(21_000 + i));
        }
    }

    @Test
    void differentPortsAreRight() throws Exception {
        write();

        assertThat(home.load().server().admin()).isPresent();
        assertThat(home.load().server().control()).isPresent();
    }

    static Stream<Arguments> pairs() {
        return PORTS.stream()
                .flatMap(first ->
                        PORTS.stream().skip(PORTS.indexOf(first) + 1L).map(second -> Arguments.of(first, second)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void twoWithOneNumberAreAProblem(String first, String second) {
        server.put(first, "21009");
        server.put(second, "21009");
        write();

        assertThat(home.problems())
                .containsExactly("%s:%d: %s = 21009: is %s too: each needs a port of its own"
                        .formatted(home.serverFile(), lineOf(second), second, first));
    }

    @Test
    void ofSeveralEachPairIsReported() {
        PORTS.forEach(port -> server.put(port, "21009"));
        write();

        assertThat(home.problems()).hasSize(6).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "11112, canal.metrics.pull.port",
        "11113, canal.control.port",
    })
    void aDefaultIsReportedAtTheKeyThatIsSet(int number, String other) {
        PORTS.forEach(server::remove);
        server.put("canal.port", Integer.toString(number));
        home.write("conf/control-access", "");
        write();

        assertThat(home.problems())
                .containsExactly("%s:%d: canal.port = %d: is %s too, by default: each needs a port of its own"
                        .formatted(home.serverFile(), lineOf("canal.port"), number, other));
    }

    /** As a server of canal may have it, which has no such API. */
    @Test
    void theDefaultOfTheControlApiIsFreeUntilSomethingMayCallIt() throws Exception {
        PORTS.forEach(server::remove);
        server.put("canal.port", "11113");
        write();

        assertThat(home.load().server().tcp().orElseThrow().port()).isEqualTo(11_113);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "127.0.0.1, localhost",
        "::1, 0:0:0:0:0:0:0:1",
        "127.0.0.1, 0.0.0.0",
        "127.0.0.1, ::",
        "127.0.0.1, ''",
        "no-such-host.invalid, No-Such-Host.invalid",
    })
    void addressesThatOverlapAreAProblem(String ofControl, String ofMetrics) {
        server.put("canal.control.ip", ofControl);
        server.put("canal.control.allow.plaintext", "true");
        server.put("canal.metrics.pull.ip", ofMetrics);
        server.put("canal.metrics.pull.port", server.get("canal.control.port"));
        write();

        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains("canal.control.port = 21002: is canal.metrics.pull.port too");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.2",
        "127.0.0.1, ::1",
        "10.0.0.7, localhost",
        "no-such-host.invalid, 127.0.0.1",
        "fe80::1%1, fe80::1%2",
    })
    void onOtherAddressesTheSameNumberIsRight(String ofControl, String ofMetrics) throws Exception {
        server.put("canal.control.ip", ofControl);
        server.put("canal.control.allow.plaintext", "true");
        server.put("canal.metrics.pull.ip", ofMetrics);
        server.put("canal.metrics.pull.port", server.get("canal.control.port"));
        write();

        assertThat(home.load().server().metrics()).isPresent();
    }

    /** It listens on {@code canal.ip} unless it has an address of its own. */
    @Test
    void theManagementPortMayHaveAnotherAddressThanTheClients() throws Exception {
        server.put("canal.admin.port", server.get("canal.port"));
        server.put("canal.admin.ip", "127.0.0.2");
        write();
        assertThat(home.load().server().admin()).isPresent();

        server.remove("canal.admin.ip");
        write();
        assertThat(home.problems()).singleElement().asString().contains("canal.admin.port = 21000: is canal.port too");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, -1"})
    void aPortThatIsOffOrChosenByTheSystemConflictsWithNone(String chosen, String off) throws Exception {
        server.put("canal.port", chosen);
        server.put("canal.admin.port", chosen);
        server.put("canal.metrics.pull.port", off);
        server.put("canal.control.port", off);
        write();

        assertThat(home.load().server().metrics()).isEmpty();
        assertThat(home.load().server().control()).isEmpty();
    }

    @Test
    void portsThatStayClosedConflictWithNone() throws Exception {
        PORTS.forEach(port -> server.put(port, "21009"));
        server.put("canal.withoutNetty", "true"); // no canal.port
        server.remove("canal.admin.passwd"); // no canal.admin.port
        server.put("canal.control.port", "-1");
        write();

        assertThat(home.load().server().metrics().orElseThrow().port()).isEqualTo(21_009);
    }

    @Test
    void withAQueueThePortOfClientsIsOff() throws Exception {
        server.put("canal.serverMode", "stdout");
        server.put("canal.metrics.pull.port", server.get("canal.port"));
        write();

        assertThat(home.load().server().tcp()).isEmpty();
    }

    /** Its default would be reported in its place. */
    @Test
    void aPortThatCannotBeReadIsReportedForThatAlone() {
        server.put("canal.port", "many");
        server.put("canal.metrics.pull.port", "11111");
        write();

        assertThat(home.problems()).singleElement().asString().contains("canal.port = many: must be a whole number");
    }

    private int lineOf(String key) {
        return List.copyOf(server.keySet()).indexOf(key) + 1;
    }

    private void write() {
        StringBuilder text = new StringBuilder();
        server.forEach(
                (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
        home.server(text.toString());
    }
}
