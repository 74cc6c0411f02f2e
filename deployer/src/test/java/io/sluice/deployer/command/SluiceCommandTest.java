package io.sluice.deployer.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.version.BuildVersion;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.tls.Certificates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments that ask for help, or make no sense. */
class SluiceCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(strings = {"help", "--help"})
    void helpListsTheVerbs(String word) {
        assertThat(run(word)).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("""
                        usage: sluice.sh VERB [ARGUMENTS]
                          check       find what is wrong before a start, and show which tables and columns are delivered
                          route       show which topic and partition the rows and the DDL of a table go to, and by which rule
                          cursor      show or change how far a client of an instance has got; changes need a stopped instance
                          status      show the state, position, lag and rates of instances; the exit code is 1 if one needs attention
                          errors      show the newest errors of an instance, with what to do
                          log         show the end of the log of the server, or of an instance
                          tail        show a sample of what an instance delivers from now on
                          start       start stopped or failed instances, as they are configured now
                          stop        stop instances until they are started: what is in flight is delivered
                          restart     stop instances, and start them as they are configured now
                          release     leave instances to the other servers of a cluster
                          pause       deliver nothing more, now or from a position in the stream on; nothing is lost
                          resume      end a pause
                          limit       limit how many rows or bytes an instance delivers in a second, from now on
                          reload      read the configuration, and take over what has changed; of one instance, restart it in any case
                          alarm       send a test alarm to each web hook that is configured, and show what they answer
                          token       make, list or remove a token that may call the control API of the server here
                          completion  print the script that completes verbs and options in bash and zsh: source <(sluice.sh completion)
                          help        show what a verb does, and its options
                          warm        make the archive of classes by which starts are quicker, after a first start

                        sluice.sh help VERB, or --help after it, shows its options. Verbs from status to alarm call a running server.
                        sluice.sh --version shows which version and commit this is, and which Java it runs on.
                        """);
        assertThat(errors.size()).isZero();
    }

    @Test
    void theVersionNamesTheCommitAndTheJava() {
        assertThat(run("--version")).isZero();

        BuildVersion build = BuildVersion.ofThisBuild();
        assertThat(out.toString(StandardCharsets.UTF_8).lines().toList())
                .hasSize(3)
                .startsWith("Sluice " + build.version())
                .anyMatch(line -> line.startsWith("commit " + build.commitText()))
                .anyMatch(line -> line.startsWith("Java " + Runtime.version() + ", "));
        assertThat(errors.size()).isZero();
        assertThat(SluiceCommand.needsConnectors(List.of("--version"))).isFalse();
        assertThat(SluiceCommand.needsConnectors(List.of("check"))).isTrue();
    }

    @Test
    void withoutAVerbTheListIsAnError() {
        assertThat(run()).isOne();

        assertThat(errors()).startsWith("usage: sluice.sh VERB [ARGUMENTS]").contains("  check ", "  warm ");
        assertThat(out.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check",
                "route",
                "cursor",
                "status",
                "errors",
                "tail",
                "start",
                "stop",
                "restart",
                "release",
                "pause",
                "resume",
                "limit",
                "reload",
                "alarm",
                "token",
                "completion"
            })
    void eachVerbHasAHelpText(String verb) {
        assertThat(run(verb, "--help")).isZero();
        String text = out.toString(StandardCharsets.UTF_8);
        assertThat(text).startsWith("usage: sluice.sh " + verb + " ").contains("--conf=FILE ", "another file for");

        out.reset();
        assertThat(run("help", verb)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(text);
        assertThat(errors.size()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "chek                            ! there is no verb chek                       ! VERB [ARGUMENTS]",
                "--jsn                           ! there is no option --jsn                    ! VERB [ARGUMENTS]",
                "check --jsn                     ! there is no option --jsn                    ! check [--json]",
                "check -j                        ! there is no option -j                       ! check [--json]",
                "check --conf                    ! --conf needs a value                        ! check [--json]",
                "check --defaults                ! --defaults needs --effective                ! check [--json]",
                "route shop                      ! a destination and at least one table are needed ! route [--json]",
                "route shop t --row              ! --row needs a value                         ! route [--json]",
                "route shop t --row =1           ! a column has no name                        ! route [--json]",
                "alarm                           ! test is missing                             ! alarm [--url=URL]",
                "alarm ring                      ! there is no action ring                     ! alarm [--url=URL]",
                "cursor show                     ! DESTINATION is missing                      ! cursor [--client=N]",
                "cursor show shop till           ! there is no argument till                   ! cursor [--client=N]",
                "cursor set shop --to            ! --to needs a value                          ! cursor [--client=N]",
                "cursor set shop --to x          ! not a position: x                           ! cursor [--client=N]",
                "cursor set shop --to a:4 --gtid x ! mutually exclusive                        ! cursor [--client=N]",
                "cursor show shop --client x     ! 'x' is not an int                           ! cursor [--client=N]",
                "cursor show shop --client -5    ! not a client's number: -5                   ! cursor [--client=N]",
            })
    void invalidArgumentsAreRejectedWithTheSynopsis(String words, String message, String synopsis) {
        assertThat(run(words.split(" "))).isOne();

        assertThat(errors()).contains(message, "usage: sluice.sh " + synopsis);
        assertThat(out.size()).isZero();
    }

    private String errors() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    private int run(String... arguments) {
        return SluiceCommand.run(
                List.of(arguments),
                new CommandContext(
                        Path.of("canal.properties"),
                        Path.of(""),
                        Path.of(""),
                        new Environment(Map.of(), Map.of(), (Inet4Address) InetAddress.getLoopbackAddress(), 2),
                        ProducerCheck.NONE,
                        mode -> Optional.empty(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "[::1]"})
    void anIpv6AddressOfTheControlApiIsInBracketsInItsUrl(String address, @TempDir Path folder) throws Exception {
        int port = FreePorts.next();
        Path file = Files.writeString(folder.resolve("canal.properties"), """
                canal.serverMode = tcp
                canal.control.ip = %s
                canal.control.port = %d
                """.formatted(address, port));

        assertThat(run("status", "--conf=" + file.toAbsolutePath())).isEqualTo(1);

        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("cannot be reached at http://[::1]:" + port);
    }

    @Test
    void completionIsAScriptOfTheShell() {
        assertThat(run("completion")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("#!/usr/bin/env bash")
                .contains("complete -F", "--token-file", "pause");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCursorWhoseInstanceIsNotStartedAgainIsAFailureThatShowsWhatWasDone(boolean isJson, @TempDir Path directory)
            throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "sluice_right");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/instances/shop/cursor/delete", call -> {
            byte[] answer =
                    ("{\"lines\": [\"SKIPPED all\", \"not started: no broker\"], \"notStarted\": \"not started: no broker\","
                                    + " \"restartKeys\": [\"kafka.acks\"], \"serverProblem\": null}")
                            .getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(200, answer.length);
            call.getResponseBody().write(answer);
            call.close();
        });
        server.start();
        try {
            List<String> words = new ArrayList<>(List.of("cursor", "delete", "shop", "--restart", "--url"));
            words.add("http://127.0.0.1:" + server.getAddress().getPort());
            words.addAll(List.of("--token-file", token.toString()));
            if (isJson) {
                words.add("--json");
            }

            assertThat(run(words.toArray(String[]::new))).isEqualTo(ExitCode.FAILED);
        } finally {
            server.stop(0);
        }

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("SKIPPED all", "kafka.acks");
        assertThat(errors()).isEqualTo("not started: no broker\n");
    }

    @ParameterizedTest
    @CsvSource({"null, 0", "'\"another server has the address 10.0.0.1:11111, too\"', 1"})
    void aProblemOfTheServerInItsClusterIsShownWithTheStatus(String problem, int code, @TempDir Path directory)
            throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "sluice_right");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/instances", call -> answer(call, "[]"));
        server.createContext(
                "/api/v1/server",
                call -> answer(call, "{\"configurationProblem\": null, \"clusterProblem\": " + problem + "}"));
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            assertThat(run("status", "--url", url, "--token-file", token.toString()))
                    .isEqualTo(code);
        } finally {
            server.stop(0);
        }

        assertThat(out.toString(StandardCharsets.UTF_8).contains("the server: another server has the address"))
                .isEqualTo(code == 1);
    }

    private static void answer(HttpExchange call, String json) throws IOException {
        byte[] answer = json.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(200, answer.length);
        call.getResponseBody().write(answer);
        call.close();
    }

    /** As one that a proxy cuts off, or that stops. */
    @Test
    void aCommandWithoutAnAnswerMayHaveBeenCarriedOut(@TempDir Path directory) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "sluice_right");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", HttpExchange::close);
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            assertThat(run("cursor", "restore", "shop", "--restart", "--url", url, "--token-file", token.toString()))
                    .isEqualTo(ExitCode.FAILED);
            assertThat(errors())
                    .contains(url + " has not answered", "may have carried the command out, or may do so yet")
                    .doesNotContain("cannot be reached");
            assertThat(run("status", "--url", url, "--token-file", token.toString()))
                    .isOne();
            assertThat(errors()).contains("cannot be reached at " + url);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aServerThatCannotBeReachedIsSaid() {
        assertThat(run("status", "--url", "http://127.0.0.1:9")).isOne();
        assertThat(errors())
                .contains(
                        "cannot be reached at http://127.0.0.1:9: nothing accepts connections there; is the server running",
                        "--conf conf/canal_local.properties");
        assertThat(run("status", "--url", "nonsense")).isOne();
        assertThat(errors()).contains("not the URL of a server: nonsense");
    }

    /** The server opens its port with the first token. */
    @Test
    void withoutATokenTheFirstStepIsToMakeOne(@TempDir Path home) throws Exception {
        Path conf = Files.createDirectory(home.resolve("conf"));
        Path file = Files.writeString(conf.resolve("canal.properties"), """
                canal.serverMode = stdout
                canal.destinations = shop
                canal.control.port = 9
                """);
        CommandContext context = new CommandContext(
                file,
                Files.createDirectory(home.resolve("bin")),
                home,
                new Environment(Map.of(), Map.of(), (Inet4Address) InetAddress.getLoopbackAddress(), 2),
                ProducerCheck.NONE,
                mode -> Optional.empty(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(errors, true, StandardCharsets.UTF_8));

        assertThat(SluiceCommand.run(List.of("status"), context)).isOne();
        assertThat(errors())
                .contains(
                        "cannot be reached at http://127.0.0.1:9: nothing accepts connections there; there is no token yet",
                        "sluice.sh token add NAME --role operator --save, then restart");

        assertThat(SluiceCommand.run(List.of("token", "add", "ops"), context)).isZero();
        errors.reset();
        assertThat(SluiceCommand.run(List.of("status"), context)).isOne();
        assertThat(errors()).contains("is the server running").doesNotContain("no token yet");
    }

    /** Nothing is sent: the address is one of the documentation, which does not answer. */
    @Test
    void aTokenIsNotSentToAnotherMachineInPlainText(@TempDir Path directory) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "sluice_right");
        assertThat(run("status", "--url", "http://203.0.113.9:11113", "--token-file", token.toString()))
                .isOne();
        assertThat(errors())
                .contains(
                        "http://203.0.113.9:11113 is on another machine",
                        "http would show the token on the way",
                        "--plain");
        assertThat(run("status", "--url", "https://203.0.113.9:11113")).isOne();
        assertThat(errors())
                .contains("conf/control-token is for the server of this one", "--token-file", "$SLUICE_CONTROL_TOKEN");
    }

    /** What control.md recommends where other users have accounts, and can listen on the port while the server is stopped. */
    @Test
    void withTlsOnTheLoopbackAddressAProcessWithAnotherCertificateGetsNoToken(@TempDir Path directory)
            throws Exception {
        Certificates ours = Certificates.make(Files.createDirectory(directory.resolve("ours")), "ip:127.0.0.1");
        Certificates others = Certificates.make(Files.createDirectory(directory.resolve("others")), "ip:127.0.0.1");
        Path token = Files.writeString(directory.resolve("token"), "sluice_right");

        for (Certificates certificate : List.of(ours, others)) {
            List<String> tokens = new CopyOnWriteArrayList<>();
            HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setHttpsConfigurator(new HttpsConfigurator(tlsOf(certificate)));
            server.createContext("/", exchange -> {
                tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
                exchange.sendResponseHeaders(401, -1);
                exchange.close();
            });
            server.start();
            String url = "https://127.0.0.1:" + server.getAddress().getPort();
            String ca = ours.certificate().toString();
            try {
                assertThat(run("status", "--url", url, "--ca", ca, "--token-file", token.toString()))
                        .isOne();
            } finally {
                server.stop(0);
            }
            if (certificate.equals(ours)) {
                assertThat(tokens).isNotEmpty().containsOnly("Bearer sluice_right");
            } else {
                assertThat(tokens).isEmpty();
                assertThat(errors()).contains("cannot be reached at " + url);
            }
        }
    }

    private static SSLContext tlsOf(Certificates certificates) throws Exception {
        char[] password = "changeit".toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(
                KeyStore.getInstance(
                        certificates.key().resolveSibling("store.p12").toFile(), password),
                password);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        return tls;
    }

    @Test
    void aRejectedTokenIsReportedWithThePlacesItIsTakenFrom(@TempDir Path directory) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "sluice_wrong");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            assertThat(run("status", "--url", url)).isOne();
            assertThat(errors())
                    .contains(
                            url + " needs a token, and there is none in ",
                            "conf/control-token",
                            "--token-file, else $SLUICE_CONTROL_TOKEN",
                            "sluice.sh token add");
            assertThat(run("status", "--url", url, "--token-file", token.toString()))
                    .isOne();
            assertThat(errors())
                    .contains(url + " does not accept the token of " + token)
                    .doesNotContain("sluice_wrong");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aLimitIsNeededOrNone() {
        assertThat(run("limit", "shop")).isOne();
        assertThat(errors()).contains("limit needs --rows or --bytes, or --none");
        assertThat(run("limit", "shop", "--rows", "-1")).isOne();
        assertThat(errors()).contains("--rows and --bytes must not be negative");
    }
}
