package io.sluice.testkit.pulsar;

import io.sluice.testkit.process.ClassArchive;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.opentest4j.TestAbortedException;

/**
 * Pulsar's and BookKeeper's programs, as the build has gathered their jars.
 *
 * @param home the folder with {@code lib}
 */
record PulsarInstallation(Path home) {
    /** What Pulsar's start script opens to it. */
    private static final List<String> OPENED = List.of(
            "java.base/java.nio=ALL-UNNAMED",
            "java.base/jdk.internal.misc=ALL-UNNAMED",
            "java.base/jdk.internal.platform=ALL-UNNAMED",
            "java.base/sun.net=ALL-UNNAMED",
            "java.management/sun.management=ALL-UNNAMED",
            "jdk.management/com.sun.management.internal=ALL-UNNAMED");

    /**
     * Finds it.
     *
     * @throws TestAbortedException if this build has none
     */
    static PulsarInstallation find() {
        Path home = Folders.servers().resolve("pulsar");
        if (!Files.isDirectory(home.resolve("lib"))) {
            throw new TestAbortedException("no Pulsar broker in " + home + ": build without -DskipPulsar to have one");
        }
        return new PulsarInstallation(home);
    }

    /** The JVM options of the class archive, see {@link ClassArchive#options}; all programs have the same class path. */
    List<String> classArchive(Function<List<String>, ServerProcess> start, BooleanSupplier answers) {
        return ClassArchive.options(home, "broker", start, answers);
    }

    /**
     * Starts one of the programs.
     *
     * @param folder its working folder; what it prints is appended to {@code log} there
     */
    ServerProcess start(String mainClass, List<String> jvmOptions, List<String> arguments, Path folder) {
        Path temporary = folder.resolve("tmp");
        try {
            Files.createDirectories(temporary);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = new ArrayList<>();
        command.add(Commands.java());
        command.addAll(jvmOptions);
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        OPENED.forEach(packageName -> command.addAll(List.of("--add-opens", packageName)));
        command.addAll(List.of("-cp", home.resolve("lib") + "/*", mainClass));
        command.addAll(arguments);
        return ServerProcess.start(command, Map.of(), folder, folder.resolve("log"));
    }
}
