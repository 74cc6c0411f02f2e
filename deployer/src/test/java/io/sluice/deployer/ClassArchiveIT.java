package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Starts the package with an archive of its classes: one that it has made, and ones that are of no use. Its source does not
 * answer, which is no reason not to run.
 */
@Tag("thorough")
class ClassArchiveIT {
    private static final Path FOLDER = Folders.temporary("sluice-archive-");
    private static final Path HOME = FOLDER.resolve("server");
    private static final Path CACHE = HOME.resolve("cache");
    private static final Path SAID = HOME.resolve("logs/canal/canal_stdout.log");
    private static final Path LOADED = FOLDER.resolve("loaded.txt");
    /** What a first start and its archive left. */
    private static final Path MADE = FOLDER.resolve("made");

    private final Map<String, String> environment = new TreeMap<>();

    @BeforeAll
    static void makeAnArchive() throws Exception {
        Files.createDirectories(HOME);
        Commands.require(HOME, Map.of(), List.of("tar", "xzf", System.getProperty("sluice.package", "")));
        Files.write(
                HOME.resolve("conf/canal.properties"),
                List.of(
                        "canal.destinations = example",
                        "canal.serverMode = tcp",
                        "canal.ip = 127.0.0.1",
                        "canal.port = " + FreePorts.next(),
                        "canal.metrics.pull.port = " + FreePorts.next()));
        Files.write(
                HOME.resolve("conf/example/instance.properties"),
                List.of("canal.instance.master.address = 127.0.0.1:1", "canal.instance.dbUsername = canal"));
        Path words = FOLDER.resolve("words.txt");
        assertThat(run(Map.of("SLUICE_CLASS_ARCHIVE", "1"), words, "startup.sh"))
                .as(() -> read(words))
                .isZero();
        await().atMost(Duration.ofMinutes(4))
                .until(() -> !archives(CACHE).isEmpty()); // it is made with little priority
        assertThat(run(Map.of(), words, "stop.sh")).as(() -> read(words)).isZero();
        assertThat(SAID).isEmptyFile();
        Commands.require(FOLDER, Map.of(), List.of("cp", "-a", CACHE.toString(), MADE.toString()));
    }

    @AfterAll
    static void remove() {
        Folders.delete(FOLDER);
    }

    @BeforeEach
    void restoreTheArchive() {
        Folders.delete(CACHE);
        Commands.require(FOLDER, Map.of(), List.of("cp", "-a", MADE.toString(), CACHE.toString()));
        environment.put("JAVA_OPTS", "-Xlog:class+load:file=" + LOADED + ":none");
    }

    @AfterEach
    void stop() throws Exception {
        assertThat(run(Map.of("SLUICE_STOP_SECONDS", "20"), FOLDER.resolve("stop.txt"), "stop.sh"))
                .isZero();
        Files.deleteIfExists(SAID);
    }

    @Test
    void theSecondStartTakesItsClassesFromTheArchive() throws Exception {
        start();

        assertThat(classesOf("shared objects file"))
                .hasSizeGreaterThan(classesOf("/lib/").size() * 10);
        assertThat(classesOf("shared objects file"))
                .contains(
                        "io.sluice.deployer.Launcher",
                        "io.sluice.server.SluiceServer",
                        "ch.qos.logback.classic.Logger");
        assertThat(SAID).isEmptyFile();
    }

    @Test
    void anArchiveThatIsTornOrForeignIsIgnoredSilently() throws Exception {
        Path archive = archive();
        byte[] whole = Files.readAllBytes(archive);
        for (byte[] damaged : List.of(
                Arrays.copyOf(whole, whole.length / 2),
                Arrays.copyOf(whole, 100),
                "This is not an archive.\n".repeat(1000).getBytes(StandardCharsets.US_ASCII))) {
            Files.delete(archive);
            Files.write(archive, damaged);

            start();

            assertThat(classesOf("/lib/")).contains("io.sluice.deployer.Launcher");
            assertThat(SAID).isEmptyFile();
            stop();
        }
    }

    @Test
    void otherJarsHaveAnotherArchive() throws Exception {
        Path jar = jar();
        FileTime before = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.from(Instant.ofEpochSecond(1_000_000_000)));
        try {
            start();

            assertThat(arguments()).anyMatch(word -> word.startsWith("-XX:DumpLoadedClassList="));
            stop();

            // Whatever the script thinks of it: Java sees that a jar is another one.
            Path noted;
            try (Stream<Path> files = Files.list(CACHE)) {
                noted = files.filter(file -> file.toString().endsWith(".txt"))
                        .filter(file -> Files.notExists(sibling(file)))
                        .findFirst()
                        .orElseThrow();
            }
            Files.move(archive(), sibling(noted));
            start();

            assertThat(arguments()).contains("-XX:SharedArchiveFile=" + sibling(noted));
            assertThat(classesOf("/lib/")).contains("io.sluice.deployer.Launcher");
            assertThat(SAID).isEmptyFile();
        } finally {
            Files.setLastModifiedTime(jar, before);
        }
    }

    @Test
    void withoutAWritableFolderThereIsNoArchive() throws Exception {
        Folders.delete(CACHE);
        // Permissions do not keep root from writing; a file in the way does.
        Files.createFile(CACHE);

        start();

        assertThat(arguments()).noneMatch(ClassArchiveIT::isOfAnArchive);
        assertThat(SAID).isEmptyFile();
    }

    @Test
    void theArchiveCanBeOffOrTheOperatorsOwn() throws Exception {
        environment.put("SLUICE_CLASS_ARCHIVE", "off");
        start();
        assertThat(arguments()).noneMatch(ClassArchiveIT::isOfAnArchive);
        stop();

        environment.put("SLUICE_CLASS_ARCHIVE", "");
        environment.put("JAVA_OPTS", "-Xshare:off");
        start();
        assertThat(arguments()).noneMatch(ClassArchiveIT::isOfAnArchive);
    }

    @Test
    void anArchiveThatCrashesJavaIsRemoved() throws Exception {
        Path java = FOLDER.resolve("java");
        Path real = Path.of(System.getProperty("java.home"), "bin/java");
        Files.writeString(java, """
                #!/bin/bash
                [[ "$*" != *SharedArchiveFile* ]] || exit 134
                exec '%s' "$@"
                """.formatted(real));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        environment.put("JAVA", java.toString());
        start();
        stop();
        assertThat(archives(CACHE)).containsExactly(archive());
        Path ofThisJava;
        try (Stream<Path> files = Files.list(CACHE)) {
            ofThisJava = sibling(files.filter(file -> file.toString().endsWith(".txt"))
                    .filter(file -> Files.notExists(sibling(file)))
                    .findFirst()
                    .orElseThrow());
        }
        Files.copy(archive(), ofThisJava);

        start();

        assertThat(ofThisJava).doesNotExist();
        assertThat(arguments()).anyMatch(word -> word.startsWith("-XX:DumpLoadedClassList="));
    }

    @Test
    void theWarmCommandMakesTheArchive() throws Exception {
        Files.delete(archive());

        Path words = FOLDER.resolve("warm.txt");
        assertThat(run(Map.of(), words, "sluice.sh", "warm"))
                .as(() -> read(words))
                .isZero();

        assertThat(read(words)).startsWith("The next start uses " + archive());
        Folders.delete(CACHE);
        assertThat(run(Map.of(), words, "sluice.sh", "warm")).isEqualTo(1);
        assertThat(read(words)).contains("start the server once");
    }

    private void start() throws IOException, InterruptedException {
        Path words = FOLDER.resolve("start.txt");
        assertThat(run(environment, words, "startup.sh")).as(() -> read(words)).isZero();
        assertThat(read(words)).startsWith("The server runs, as process ");
        assertThat(read(words).lines().skip(1)).allMatch(line -> line.startsWith("example: is tried again: "));
    }

    /** The arguments of the server's process, the program included. */
    private static List<String> arguments() throws IOException {
        String pid = Files.readString(HOME.resolve("bin/canal.pid")).strip();
        return List.of(Files.readString(Path.of("/proc", pid, "cmdline")).split("\0"));
    }

    private static boolean isOfAnArchive(String argument) {
        return argument.startsWith("-XX:SharedArchiveFile") || argument.startsWith("-XX:DumpLoadedClassList");
    }

    /** The classes whose source contains a text. */
    private static List<String> classesOf(String source) throws IOException {
        try (Stream<String> lines = Files.lines(LOADED)) {
            return lines.filter(line ->
                            line.substring(line.indexOf(" source: ") + 1).contains(source))
                    .map(line -> line.substring(0, line.indexOf(' ')))
                    .toList();
        }
    }

    private static Path archive() throws IOException {
        return CACHE.resolve(archives(MADE).get(0).getFileName());
    }

    private static Path jar() throws IOException {
        try (Stream<Path> files = Files.list(HOME.resolve("lib"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("sluice-stream"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static List<Path> archives(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).toList();
        }
    }

    private static Path sibling(Path list) {
        return list.resolveSibling(list.getFileName().toString().replace(".txt", ".jsa"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Runs a script of the package; not through a pipe, which the server would inherit, and keep open. */
    private static int run(Map<String, String> environment, Path words, String script, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(
                                Stream.of(HOME.resolve("bin").resolve(script).toString()), Arrays.stream(arguments))
                        .toList())
                .redirectErrorStream(true)
                .redirectOutput(words.toFile());
        builder.environment().remove("JAVA_OPTS");
        builder.environment().put("SLUICE_START_SECONDS", "200");
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }
}
