package io.sluice.testkit.rabbitmq;

import io.sluice.testkit.debian.DebianRoot;
import io.sluice.testkit.debian.ServerUnavailableException;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.OncePerBuild;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * RabbitMQ 3.10 and its Erlang, of Debian's packages, in a folder of the build.
 *
 * @param home RabbitMQ's own folder
 * @param erlang Erlang's folder
 */
record RabbitMqInstallation(Path home, Path erlang) {
    private static final DebianRoot.Wanted WANTED =
            new DebianRoot.Wanted("bookworm", "rabbitmq-server", "3.10", "usr/lib/rabbitmq/bin/rabbitmq-server");
    private static final String ERLANG = "usr/lib/erlang";
    private static final String SERVERS = "usr/lib/rabbitmq/lib";

    /**
     * The installation, fetched unless it is there.
     *
     * @throws ServerUnavailableException if it cannot be had
     */
    static RabbitMqInstallation find() {
        Path folder = Folders.servers().resolve("rabbitmq-3.10");
        Path root = DebianRoot.of(folder.resolve("root"), WANTED, RabbitMqInstallation::check);
        // Erlang's scripts name the folder that the package installs it in.
        OncePerBuild.folder(folder.resolve("moved"), done -> move(root));
        return new RabbitMqInstallation(only(root.resolve(SERVERS), "rabbitmq_server-"), root.resolve(ERLANG));
    }

    /** The script that administers a node. */
    Path control() {
        return home.resolve("sbin/rabbitmqctl");
    }

    /** The modules that are packed in the program of that script: unpacking them takes longer than running them. */
    Path controlModules() {
        return OncePerBuild.folder(Folders.servers().resolve("rabbitmq-3.10").resolve("control"), this::unpackControl);
    }

    private void unpackControl(Path into) {
        try (ZipFile modules = new ZipFile(home.resolve("escript/rabbitmqctl").toFile())) {
            for (ZipEntry module : Collections.list(modules.entries())) {
                try (InputStream in = modules.getInputStream(module)) {
                    Files.copy(in, into.resolve(Path.of(module.getName()).getFileName()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void check(Path root) {
        Path servers = root.resolve(SERVERS);
        if (!Files.isDirectory(servers)
                || !only(servers, "rabbitmq_server-").getFileName().toString().contains(WANTED.version() + ".")) {
            throw new ServerUnavailableException(WANTED + " is not what the archive has now");
        }
    }

    private static void move(Path root) {
        Path erlang = root.resolve(ERLANG);
        for (Path bin : List.of(erlang.resolve("bin"), only(erlang, "erts-").resolve("bin"))) {
            for (String script : List.of("erl", "start")) {
                replace(bin.resolve(script), "=/usr/lib/erlang", "=" + erlang);
            }
        }
    }

    private static void replace(Path file, String text, String by) {
        try {
            if (Files.exists(file)) {
                String script = Files.readString(file, StandardCharsets.UTF_8);
                Files.writeString(file, script.replace(text, by), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path only(Path folder, String prefix) {
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(child -> child.getFileName().toString().startsWith(prefix))
                    .findFirst()
                    .orElseThrow(() -> new ServerUnavailableException("no " + prefix + " in " + folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
