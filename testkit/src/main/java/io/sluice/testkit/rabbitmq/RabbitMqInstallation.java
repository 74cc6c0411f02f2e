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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * RabbitMQ and its Erlang, of Debian's packages, in a folder of the build.
 *
 * @param folder of the build
 * @param home RabbitMQ's own folder
 * @param erlang Erlang's folder
 */
record RabbitMqInstallation(Path folder, Path home, Path erlang) {
    private static final String PROGRAM = "usr/lib/rabbitmq/bin/rabbitmq-server";
    private static final DebianRoot.Wanted WANTED =
            new DebianRoot.Wanted("bookworm", "rabbitmq-server", "3.10", PROGRAM);
    private static final DebianRoot.Wanted WITH_KHEPRI =
            new DebianRoot.Wanted("sid", "rabbitmq-server", "4.3", PROGRAM);
    private static final String ERLANG = "usr/lib/erlang";
    private static final String SERVERS = "usr/lib/rabbitmq/lib";
    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};

    /**
     * RabbitMQ 3.10, fetched unless it is there.
     *
     * @throws ServerUnavailableException if it cannot be had
     */
    static RabbitMqInstallation find() {
        return find(WANTED, RabbitMqInstallation::move);
    }

    /**
     * RabbitMQ 4.3, whose metadata are in Khepri, fetched unless it is there. Its suite moves, and may have another version by now.
     *
     * @throws ServerUnavailableException if it cannot be had
     */
    static RabbitMqInstallation findWithKhepri() {
        return find(WITH_KHEPRI, root -> {
            move(root);
            loadByOwnLoader(root);
        });
    }

    private static RabbitMqInstallation find(DebianRoot.Wanted wanted, Consumer<Path> move) {
        Path folder = Folders.servers().resolve("rabbitmq-" + wanted.version());
        Path root = DebianRoot.of(folder.resolve("root"), wanted, fetched -> check(fetched, wanted));
        // Erlang's scripts name the folder that the package installs it in.
        OncePerBuild.folder(folder.resolve("moved"), done -> move.accept(root));
        return new RabbitMqInstallation(folder, only(root.resolve(SERVERS), "rabbitmq_server-"), root.resolve(ERLANG));
    }

    /** The script that administers a node. */
    Path control() {
        return home.resolve("sbin/rabbitmqctl");
    }

    /** The modules that are packed in the program of that script: unpacking them takes longer than running them. */
    Path controlModules() {
        return OncePerBuild.folder(folder.resolve("control"), this::unpackControl);
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

    private static void check(Path root, DebianRoot.Wanted wanted) {
        Path servers = root.resolve(SERVERS);
        if (!Files.isDirectory(servers)
                || !only(servers, "rabbitmq_server-").getFileName().toString().contains("-" + wanted.version() + ".")) {
            throw new ServerUnavailableException(wanted + " is not what the archive has now");
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

    /** Puts a script in the place of each program, which needs the libc of its suite: Erlang starts them by their names. */
    private static void loadByOwnLoader(Path root) {
        try (Stream<Path> files = Files.walk(root.resolve(ERLANG))) {
            for (Path program : files.filter(RabbitMqInstallation::isProgram).toList()) {
                Path real = program.resolveSibling(program.getFileName() + ".real");
                Files.move(program, real);
                String command = String.join(
                        " ", DebianRoot.command(root, root.relativize(real).toString()));
                Files.writeString(program, "#!/bin/sh\nexec %s \"$@\"\n".formatted(command), StandardCharsets.UTF_8);
                Files.setPosixFilePermissions(program, Files.getPosixFilePermissions(real));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isProgram(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !Files.isExecutable(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(ELF.length), ELF);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
