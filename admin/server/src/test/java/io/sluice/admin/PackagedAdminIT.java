package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The package, as an operator unpacks and starts it. */
class PackagedAdminIT {
    private static final Path ARCHIVE = Path.of(System.getProperty("sluice.admin.package", ""));

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
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Ended started = script("startup.sh", "--server.port=" + port);
        assertThat(started.output())
                .contains("The admin server runs", "http://127.0.0.1:" + port, "data/initial-password");
        assertThat(started.code()).isZero();
        Path file = home.resolve("data/initial-password");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        String password = Files.readAllLines(file).get(1).substring("password: ".length());

        Browser browser = new Browser(port);
        browser.login("admin", password);
        browser.put(
                        "/api/v2/session/password",
                        "{\"oldPassword\": \"%s\", \"newPassword\": \"%s\"}".formatted(password, Browser.PASSWORD))
                .expect(204);
        assertThat(file).doesNotExist();
        assertThat(browser.get("/api/v2/users").expect(200).json()).hasSize(1);

        Ended again = script("startup.sh");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.output()).contains("runs already");
        assertThat(script("stop.sh").code()).isZero();
        assertThat(home.resolve("bin/admin.pid")).doesNotExist();
        try (Stream<Path> logs = Files.walk(home.resolve("logs"))) {
            for (Path log : logs.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(log)).doesNotContain(password, Browser.PASSWORD);
            }
        }
        assertThat(Files.readString(home.resolve("logs/admin.log"))).contains("the admin server answers");
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
