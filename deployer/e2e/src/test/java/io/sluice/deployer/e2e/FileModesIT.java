package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.deployer.e2e.PackagedServer.Outcome;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server of the package writes is not for other users, although the shell that starts it has a umask of 022. */
@Timeout(900)
class FileModesIT {
    private static final String WIDE = "rw-r--r--";

    @Test
    void nothingThatARunWritesIsForOtherUsers() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            mysql.execute("create database shop", "create table shop.orders (id int primary key)");
            BinlogEnd start = mysql.rotateBinlog();
            Map<String, String> instance = Map.of(
                    "canal.instance.master.address",
                    mysql.host() + ":" + mysql.port(),
                    "canal.instance.dbUsername",
                    Pipeline.USER,
                    "canal.instance.dbPassword",
                    Pipeline.PASSWORD,
                    "canal.mq.topic",
                    "shop",
                    "canal.instance.master.journal.name",
                    start.file(),
                    "canal.instance.master.position",
                    Long.toString(start.offset()));
            try (PackagedServer server = new PackagedServer("shop", Map.of("canal.serverMode", "stdout"), instance)) {
                Path meta = server.instanceFolder().resolve("meta.dat");
                server.start();
                mysql.execute("insert into shop.orders values (1)");
                await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(meta));
                assertThat(mode(meta)).isEqualTo("rw-r-----");
                assertThat(widePaths(server.home())).isEmpty();
                server.stop();

                // As an older version has left it.
                Files.setPosixFilePermissions(meta, PosixFilePermissions.fromString(WIDE));
                Files.setPosixFilePermissions(
                        server.home().resolve("logs"), PosixFilePermissions.fromString("rwxr-xr-x"));
                Outcome set = server.ask("cursor", "set", "shop", "--to", "oldest");
                assertThat(set.exitCode()).as(set.output()).isZero();
                assertThat(mode(meta)).isEqualTo("rw-r-----");
                assertThat(mode(meta.resolveSibling("meta.dat.previous"))).isEqualTo("rw-r-----");

                server.start();
                await().atMost(Duration.ofMinutes(2))
                        .until(() -> Files.exists(server.home().resolve("logs/shop/meta.log")));
                assertThat(widePaths(server.home())).isEmpty();
                assertThat(mode(server.home().resolve("logs/heap"))).isEqualTo("rwxr-x---");
                server.stop();
            }
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    /** All that a run makes and other users may read, write or enter; what is in a directory that they cannot enter, too. */
    private static Map<String, String> widePaths(Path home) throws IOException {
        List<Path> written = List.of(
                home.resolve("logs"), home.resolve("cache"), home.resolve("bin/canal.pid"), home.resolve("conf/shop"));
        Map<String, String> wide = new TreeMap<>();
        for (Path root : written) {
            if (!Files.exists(root)) {
                continue;
            }
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
                    return visitFile(path, attributes);
                }

                @Override
                public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                    boolean isOperators =
                            path.equals(home.resolve("conf/shop")) || path.endsWith("instance.properties");
                    try {
                        if (!isOperators && !mode(path).endsWith("---")) {
                            wide.put(home.relativize(path).toString(), mode(path));
                        }
                    } catch (NoSuchFileException e) {
                        return FileVisitResult.CONTINUE; // the server has replaced another file by it
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }
            });
        }
        return wide;
    }
}
