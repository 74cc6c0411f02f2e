package io.sluice.testkit.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Class data archives of the servers that run in a JVM: parsing and verifying their classes takes a large part of the processor time of
 * each start. An archive is made once for all JVMs of a build, by a first start of the server. Safe for use by several threads and
 * processes.
 */
public final class ClassArchive {
    private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final String FILE = "classes.jsa";

    private ClassArchive() {}

    /**
     * The JVM options of the archive; none if the server could not be brought to write one. A JVM that does not fit the archive ignores it.
     *
     * @param home the program's folder, in which the archives are kept, one for each JVM
     * @param name distinguishes the programs of a folder
     * @param start starts the server with additional JVM options
     * @param answers whether the server answers; asked until it does, before the archive is written and the server killed
     */
    public static List<String> options(
            Path home, String name, Function<List<String>, ServerProcess> start, BooleanSupplier answers) {
        String jvm = System.getProperty("java.vm.version", "").replaceAll("[^A-Za-z0-9.]", "_");
        Path folder = OncePerBuild.folder(
                home.resolve("%s-classes-%s".formatted(name, jvm)), into -> make(into, start, answers));
        Path archive = folder.resolve(FILE);
        return Files.exists(archive) ? List.of("-XX:SharedArchiveFile=" + archive) : List.of();
    }

    private static void make(Path folder, Function<List<String>, ServerProcess> start, BooleanSupplier answers) {
        Path archive = folder.resolve(FILE);
        ServerProcess process = start.apply(List.of("-XX:+RecordDynamicDumpInfo"));
        boolean isUp = Polling.await(START_TIMEOUT, () -> !process.isAlive() || answers.getAsBoolean());
        String outcome = isUp && process.isAlive() ? dump(process, folder, archive) : process.logTail();
        process.kill(); // stopping it in good order takes some of them longer than starting
        if (!Files.exists(archive)) {
            LOG.warn("there is no class archive, so each start takes longer: {}", outcome);
        }
    }

    private static String dump(ServerProcess process, Path folder, Path archive) {
        String jcmd =
                Path.of(System.getProperty("java.home", ""), "bin", "jcmd").toString();
        String pid = Long.toString(process.pid());
        return Commands.run(folder, Map.of(), List.of(jcmd, pid, "VM.cds", "dynamic_dump", archive.toString()))
                .output();
    }
}
