package io.sluice.testkit.mysql;

import io.sluice.testkit.debian.DebianRoot;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.OncePerBuild;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The unpacked programs of a release.
 *
 * @param daemon the command of the server itself, without options
 * @param environment what its process needs beyond this JVM's own
 * @param base the folder that the server calls its base
 * @param share where its messages and character sets are
 */
record Programs(List<String> daemon, Map<String, String> environment, Path base, Path share) {
    private static final String ARCHIVE = "mysql-Linux-amd64.tar.gz";

    /** Of an archive that the build has put into the release's folder. */
    static Programs ofMaven(Path home) {
        Path archive = home.resolve(ARCHIVE);
        Path base = OncePerBuild.folder(home.resolve("server"), into -> {
            if (!Files.exists(archive)) {
                throw new IllegalStateException(archive + " is missing: build the module testkit first");
            }
            Commands.require(into, Map.of(), List.of("tar", "xzf", archive.toString()));
        });
        return new Programs(
                List.of(base.resolve("bin/mysqld").toString()),
                NativeLibraries.environment(Folders.servers()),
                base,
                base.resolve("share"));
    }

    /** Of packages of a Debian suite, which are fetched into the release's folder. */
    static Programs ofDebian(Path home, DebianRoot.Wanted wanted, String share) {
        Path root = DebianRoot.of(home.resolve("root"), wanted);
        Path base = root.resolve("usr");
        return new Programs(
                DebianRoot.command(root, wanted.program()),
                Map.of(),
                base,
                base.resolve("share").resolve(share));
    }
}
