package io.sluice.deployer.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The container image without a container: its files are laid out by the script that the Dockerfile runs, and its process is
 * started with the Dockerfile's environment, user and command, where only the Dockerfile's volumes can be written to.
 */
@Timeout(900)
class ImageIT {
    private static final Path SOURCES =
            Path.of("../packaging/image").toAbsolutePath().normalize();
    private static final Path ROOT = Folders.temporary("sluice-image-");
    private static final String USER = "canal";
    private static final String PASSWORD = "canal-in-a-container";

    private static Dockerfile dockerfile;

    @BeforeAll
    static void layOut() throws Exception {
        dockerfile = Dockerfile.read(SOURCES.resolve("Dockerfile"));
        Files.setPosixFilePermissions(ROOT, PosixFilePermissions.fromString("rwxr-xr-x")); // for another user
        Commands.require(
                SOURCES,
                Map.of("JAVA_HOME", System.getProperty("java.home", "")),
                List.of(
                        SOURCES.resolve("layout.sh").toString(),
                        System.getProperty("sluice.package", ""),
                        ROOT.toString()));
    }

    @AfterAll
    static void remove() {
        Commands.require(SOURCES, Map.of(), List.of("chmod", "-R", "u+w", ROOT.toString()));
        Folders.delete(ROOT);
    }

    @Test
    void theDockerfileDoesNothingElseThanTheScript() {
        assertThat(dockerfile.instructions())
                .filteredOn(instruction -> "RUN".equals(instruction.name()))
                .extracting(Dockerfile.Instruction::rest)
                .containsExactly("/build/layout.sh /build/package.tar.gz /build/files");
        assertThat(dockerfile.last("COPY")).allSatisfy(copy -> {
            String[] words = copy.split(" ");
            assertThat(words[0]).isEqualTo("--from=layout");
            assertThat(words[1]).isEqualTo("/build/files" + words[2]);
            assertThat(ROOT.resolve(words[2].substring(1))).isDirectory();
        });
        assertThat(dockerfile.last("USER")).containsExactly("10001:10001");
        assertThat(dockerfile.last("STOPSIGNAL")).containsExactly("SIGTERM");
    }

    /** With canal.auto.scan it would run beside the instances that are mounted. */
    @Test
    void theExampleIsNoInstanceUnlessTheEntryMakesItOne() {
        assertThat(ROOT.resolve("opt/sluice/example/instance.properties")).exists();
        assertThat(ROOT.resolve("opt/sluice/conf/example")).doesNotExist();
    }

    @Test
    void anUnprivilegedUserDeliversWithAReadOnlyRoot() throws Exception {
        Path home = ROOT.resolve("opt/sluice");
        int port = FreePorts.next();
        try (MySqlServer mysql = MySqlServer.start()) {
            mysql.execute("create database shop", "create table shop.orders (id int primary key)");
            mysql.createReplicationUser(USER, PASSWORD, AuthPlugin.MYSQL_NATIVE_PASSWORD);
            configure(home, mysql, port);
            List<String> volumes = dockerfile.words("VOLUME");
            assertThat(volumes).contains("/tmp");
            Files.createDirectories(ROOT.resolve("tmp"));
            Files.setPosixFilePermissions(ROOT.resolve("tmp"), PosixFilePermissions.fromString("rwxrwxrwx"));
            makeReadOnly(volumes);
            assumeThat(asUser(List.of(java(), "-version")).start().waitFor())
                    .as("the user of the image can run the Java of this test")
                    .isZero();
            Map<String, String> before = filesOutside(volumes);
            Path out = ROOT.resolve("tmp/out.txt");
            Path errors = ROOT.resolve("tmp/errors.txt");

            Process server = asUser(words("ENTRYPOINT", "CMD"))
                    .redirectOutput(out.toFile())
                    .redirectError(errors.toFile())
                    .start();
            try {
                await().atMost(Duration.ofMinutes(3))
                        .until(() ->
                                !server.isAlive() || Files.readString(errors).contains("reading the binlog"));
                mysql.execute("insert into shop.orders values (1)");
                await().atMost(Duration.ofMinutes(3))
                        .until(() -> !server.isAlive() || Files.readString(out).contains("\"id\":\"1\""));
                assertThat(server.isAlive()).as(Files.readString(errors)).isTrue();

                assertThat(arguments(server))
                        .as("the archive of classes is used")
                        .anyMatch(word -> word.startsWith("-XX:SharedArchiveFile="))
                        .contains("-XX:MaxRAMPercentage=60")
                        .doesNotContain("-Xmx1g");
                assertThat(health(port, "")).startsWith("0 HTTP/1.1 200 OK {\"status\":\"up\"");
                assertThat(health(port, "/health/live")).isEqualTo("0 HTTP/1.1 200 OK up");
                assertThat(health(port, "/secrets")).startsWith("1 HTTP/1.1 404 ");
                await().atMost(Duration.ofMinutes(3))
                        .until(() -> Files.exists(ROOT.resolve("var/lib/sluice/shop/meta.dat")));
                assertThat(ROOT.resolve("var/lib/sluice/shop/h2.sqlite")).exists();
            } finally {
                server.destroy();
                assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
            }

            assertThat(server.exitValue()).isEqualTo(128 + 15);
            assertThat(health(port, "")).isEqualTo("1 nothing listens on port " + port);
            assertThat(filesOutside(volumes)).isEqualTo(before);
            assertThat(Files.readString(errors))
                    .contains("the canal server is down")
                    .doesNotContain(PASSWORD);
        }
    }

    private static void configure(Path home, MySqlServer mysql, int port) throws IOException {
        Files.write(
                home.resolve("conf/canal.properties"),
                List.of(
                        "canal.serverMode = stdout",
                        "canal.destinations = shop",
                        "canal.metrics.pull.ip = 127.0.0.1",
                        "canal.metrics.pull.port = " + port));
        Files.createDirectories(home.resolve("conf/shop"));
        Files.write(
                home.resolve("conf/shop/instance.properties"),
                List.of(
                        "canal.instance.master.address = " + mysql.host() + ":" + mysql.port(),
                        "canal.instance.dbUsername = " + USER,
                        "canal.instance.dbPassword = " + PASSWORD,
                        "canal.mq.topic = shop"));
    }

    private static void makeReadOnly(List<String> volumes) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            for (Path path : all.toList()) {
                if (!isIn(volumes, path)) {
                    Commands.require(ROOT, Map.of(), List.of("chmod", "a-w", path.toString()));
                }
            }
        }
    }

    /** All that is not in a volume, with size and time. */
    private static Map<String, String> filesOutside(List<String> volumes) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(ROOT)) {
            for (Path path : all.filter(path -> !isIn(volumes, path)).toList()) {
                files.put(
                        path.toString(),
                        Files.size(path) + " " + Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS));
            }
        }
        assertThat(files).hasSizeGreaterThan(50);
        return files;
    }

    private static boolean isIn(List<String> volumes, Path path) {
        return volumes.stream().anyMatch(volume -> path.startsWith(ROOT.resolve(volume.substring(1))));
    }

    /** The exit code and the words of the image's health check. */
    private static String health(int port, String path) throws Exception {
        List<String> command = new ArrayList<>(words("HEALTHCHECK"));
        if (!path.isEmpty()) {
            command.add(path);
        }
        ProcessBuilder builder = asUser(command).redirectErrorStream(true);
        builder.environment().put("SLUICE_HEALTH_PORT", Integer.toString(port));
        Process check = builder.start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return check.waitFor() + " " + said.strip();
    }

    /** What is in the arguments of the process, which has replaced the script. */
    private static List<String> arguments(Process server) throws IOException {
        return List.of(Files.readString(Path.of("/proc", Long.toString(server.pid()), "cmdline"))
                .split("\0"));
    }

    /** The words of instructions, with paths in the laid out files. */
    private static List<String> words(String... names) throws IOException {
        List<String> words = new ArrayList<>();
        for (String name : names) {
            dockerfile.words(name).forEach(word -> words.add(inImage(word)));
        }
        return words;
    }

    private static String inImage(String word) {
        return word.startsWith("/") ? ROOT + word : word;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin/java").toString();
    }

    /** A process as the image has it: its user, if this test may choose one, and its environment. */
    private static ProcessBuilder asUser(List<String> command) throws IOException {
        List<String> whole = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            String[] user = dockerfile.last("USER").get(0).split(":");
            whole.addAll(List.of("setpriv", "--reuid=" + user[0], "--regid=" + user[1], "--clear-groups"));
        }
        whole.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(whole).directory(ROOT.toFile());
        Map<String, String> environment = new LinkedHashMap<>();
        dockerfile.environment().forEach((name, value) -> environment.put(name, inImage(value)));
        // A container's limit of memory, and its own /tmp.
        environment.merge("JAVA_OPTS", " -XX:MaxRAM=1g -Djava.io.tmpdir=" + ROOT.resolve("tmp"), String::concat);
        environment.put("JAVA_HOME", System.getProperty("java.home", ""));
        environment.put("PATH", System.getenv("PATH"));
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }
}
