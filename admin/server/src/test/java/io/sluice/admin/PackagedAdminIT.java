package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.admin.fleet.FakeSluice;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The package, as an operator unpacks and starts it. */
class PackagedAdminIT {
    private static final Path ARCHIVE = Path.of(System.getProperty("sluice.admin.package", ""));

    private static final int SERVERS = 50;
    private static final int INSTANCES = 20;

    @TempDir
    Path home;

    private record Ended(int code, String output) {}

    @BeforeEach
    void unpack() throws Exception {
        assertThat(run("tar", "xzf", ARCHIVE.toString(), "-C", home.toString()).code())
                .isZero();
    }

    @AfterEach
    void stop() throws Exception {
        run(home.resolve("bin/stop.sh").toString());
    }

    private Ended run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("output", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        String text = Files.readString(output);
        Files.delete(output);
        return new Ended(process.exitValue(), text);
    }

    private Ended script(String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "env", "SLUICE_START_SECONDS=150", home.resolve("bin/" + name).toString()));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    @Test
    void startsLogsInAndStops() throws Exception {
        int port = FreePorts.next();
        Ended started = script("startup.sh", "--server.port=" + port);
        assertThat(started.output())
                .contains("The admin server runs", "http://127.0.0.1:" + port, "data/initial-password");
        assertThat(started.code()).isZero();
        Path file = home.resolve("data/initial-password");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        String password = Browser.passwordIn(file);
        Browser browser = Browser.administrator(port, file);
        assertThat(file).doesNotExist();
        assertThat(browser.get("/api/v2/users").expect(200).json()).hasSize(1);

        for (String script : List.of("startup.sh", "stop.sh", "restart.sh")) {
            Ended help = script(script, "--help");
            assertThat(help.output()).contains("the admin server", script + " ");
            assertThat(help.code()).isZero();
        }
        for (String script : List.of("startup.sh", "restart.sh")) {
            Ended wrong = script(script, "foo");
            assertThat(wrong.output()).startsWith("usage: " + script);
            assertThat(wrong.code()).isEqualTo(1);
        }
        Ended refused = script("stop.sh", "--foo");
        assertThat(refused.output()).contains("stop.sh has no option --foo");
        assertThat(refused.code()).isEqualTo(1);
        Ended again = script("startup.sh");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.output()).contains("runs already");
        Ended stopped = script("stop.sh", "foo");
        assertThat(stopped.output()).contains("These have no effect: foo", "has stopped");
        assertThat(stopped.code()).isZero();
        assertThat(home.resolve("bin/admin.pid")).doesNotExist();
        try (Stream<Path> logs = Files.walk(home.resolve("logs"))) {
            for (Path log : logs.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(log)).doesNotContain(password, Browser.PASSWORD);
            }
        }
        assertThat(Files.readString(home.resolve("logs/admin.log"))).contains("the admin server answers");
    }

    /** SQLite's library is unpacked beside the database then, so that Tomcat is the first that needs it. */
    @Test
    void aDirectoryForTemporaryFilesThatIsMissingIsReported() throws Exception {
        Ended started = run(
                "env",
                "SLUICE_START_SECONDS=150",
                "JAVA_OPTS=-Djava.io.tmpdir=" + home.resolve("none"),
                home.resolve("bin/startup.sh").toString(),
                "--server.port=" + FreePorts.next());

        assertThat(started.output())
                .contains("java.io.tmpdir", home.resolve("none").toString(), "JAVA_OPTS")
                .doesNotContain("\tat ");
        assertThat(started.code()).isEqualTo(2);
    }

    /** Lists, placeholders, locations and class paths have such characters as separators. */
    @Test
    void theDirectoryMayHaveAnyCharacters() throws Exception {
        Path other = Files.createDirectory(home.resolve("a, b;c:d#e%20f${g}+"));
        assertThat(run("tar", "xzf", ARCHIVE.toString(), "-C", other.toString()).code())
                .isZero();
        Path settings = other.resolve("conf/application.yml");
        int port = FreePorts.next();
        Files.writeString(
                settings,
                Files.readString(settings)
                        .replace("port: 8089", "port: " + port)
                        .replace("127.0.0.1", "'::1'"));
        try {
            Ended started = run(
                    "env",
                    "SLUICE_START_SECONDS=150",
                    "sh",
                    other.resolve("bin/startup.sh").toString());

            assertThat(started.output()).contains("The admin server runs", "http://[::1]:" + port);
        } finally {
            run(other.resolve("bin/stop.sh").toString());
        }
    }

    /**
     * A thousand instances on fifty servers, in a heap of 256 MiB. What is alive in it must not grow while pages are read;
     * {@code -Dsluice.admin.seconds=300} looks for longer.
     */
    @Tag("thorough")
    @Test
    void aThousandInstancesFitIntoASmallHeap() throws Exception {
        int port = FreePorts.next();
        Path collections = home.resolve("gc.log");
        assertThat(run(
                                "env",
                                "SLUICE_START_SECONDS=150",
                                "JAVA_OPTS=-Xmx256m -Xlog:gc:file=" + collections,
                                home.resolve("bin/startup.sh").toString(),
                                "--server.port=" + port)
                        .code())
                .isZero();
        Browser browser = Browser.administrator(port, home.resolve("data/initial-password"));
        List<FakeSluice> servers = new ArrayList<>();
        try {
            for (int i = 0; i < SERVERS; i++) {
                FakeSluice server = FakeSluice.numbered("t", i, INSTANCES);
                servers.add(server);
                browser.post(
                                "/api/v2/servers",
                                "{\"name\":\"s%d\",\"ip\":\"127.0.0.1\",\"adminPort\":%d,\"controlUrl\":\"%s\",\"controlToken\":\"t\"}"
                                        .formatted(i, 1 + i, server.url()))
                        .expect(201);
            }
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> browser.get("/api/v2/overview")
                                    .json()
                                    .path("instances")
                                    .path("running")
                                    .asInt()
                            == SERVERS * INSTANCES);
            readPages(browser, Duration.ofSeconds(2)); // what is loaded once
            long before = liveMegabytes(collections);
            String figures = readPages(browser, Duration.ofSeconds(Integer.getInteger("sluice.admin.seconds", 5)));
            long after = liveMegabytes(collections);
            System.out.printf("alive in the heap: %d MB, then %d MB; %s%n", before, after, figures);
            assertThat(after).as("MB that are alive, of 256").isLessThan(128);
        } finally {
            servers.forEach(FakeSluice::close);
        }
    }

    /** Reads all pages' lists again and again. Returns how long the calls took. */
    private static String readPages(Browser browser, Duration time) {
        Map<String, List<Long>> millis = new TreeMap<>();
        long end = System.nanoTime() + time.toNanos();
        for (int round = 0; round == 0 || System.nanoTime() < end; round++) {
            for (String path : new String[] {
                "/api/v2/overview",
                "/api/v2/servers?size=50",
                "/api/v2/instances?size=200",
                "/api/v2/instances?size=50&sort=lag&page=" + (1 + round % 20),
                "/api/v2/instances?search=-07&sort=name",
                "/api/v2/instances/instance-07-11",
                "/api/v2/history",
                "/api/v2/audit?size=50"
            }) {
                long begin = System.nanoTime();
                browser.get(path).expect(200);
                millis.computeIfAbsent(path.replaceAll("page=\\d+", "page="), key -> new ArrayList<>())
                        .add(Duration.ofNanos(System.nanoTime() - begin).toMillis());
            }
        }
        StringBuilder text = new StringBuilder();
        millis.forEach((path, all) -> text.append("%n  %s: %d calls, median %d ms, longest %d ms"
                .formatted(
                        path,
                        all.size(),
                        all.stream().sorted().toList().get(all.size() / 2),
                        all.stream().max(Long::compare).orElseThrow())));
        return text.toString();
    }

    /** What is alive after a full collection. */
    private long liveMegabytes(Path collections) throws Exception {
        String pid = Files.readString(home.resolve("bin/admin.pid")).strip();
        assertThat(run(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), pid, "GC.run")
                        .code())
                .isZero();
        Pattern full = Pattern.compile("Pause Full.* \\d+M->(\\d+)M");
        return Files.readAllLines(collections).stream()
                .map(full::matcher)
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    @Test
    void refusesToListenWithoutTlsAndSaysWhatToDo() throws Exception {
        Ended ended = script("startup.sh", "--server.address=0.0.0.0", "--server.port=0");
        assertThat(ended.output())
                .contains("passwords would cross the network", "server.ssl.certificate", "sluice.web.plain-http");
        assertThat(ended.code()).isEqualTo(2);
    }

    /** Beside the package is a list of what is in lib/. */
    @Test
    void everyLibraryIsListedWithItsLicense() throws Exception {
        JsonNode list = JsonMapper.shared()
                .readTree(Files.readString(
                        ARCHIVE.resolveSibling(ARCHIVE.getFileName().toString().replace(".tar.gz", ".cdx.json")),
                        StandardCharsets.UTF_8));
        Set<String> listed = new TreeSet<>();
        for (JsonNode component : list.path("components")) {
            String name = component.path("name").asString();
            assertThat(component.path("licenses").isEmpty())
                    .as("no license: %s", name)
                    .isFalse();
            if (!name.equals("error_prone_annotations")) {
                listed.add(name + "-" + component.path("version").asString() + ".jar");
            }
        }
        Set<String> jars = new TreeSet<>();
        try (Stream<Path> files = Files.list(home.resolve("lib"))) {
            files.map(jar -> jar.getFileName().toString())
                    .filter(jar -> !jar.startsWith("sluice-admin-server-"))
                    .forEach(jars::add);
        }
        assertThat(jars).hasSizeGreaterThan(50).isSubsetOf(listed);
    }
}
