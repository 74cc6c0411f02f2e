package io.sluice.server.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.process.Commands;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BuildVersionTest {
    /** The top of the sources, as seen from this module. */
    private static final Path SOURCES = Path.of("..");

    @Test
    void theBuildFillsInVersionAndCommit() {
        BuildVersion version = BuildVersion.ofThisBuild();

        assertThat(version.version()).matches("[0-9]+\\.[0-9]+\\.[0-9]+(-.+)?");
        if (Files.exists(SOURCES.resolve(".git")) && gitIsInstalled()) {
            String head = Commands.require(
                            SOURCES, Map.of(), List.of("git", "-c", "safe.directory=*", "log", "-1", "--format=%H %ct"))
                    .strip();
            assertThat(version.commit().orElseThrow().replace("-dirty", "") + " "
                            + version.committed().orElseThrow().getEpochSecond())
                    .isEqualTo(head);
        } else {
            assertThat(version.commit().isPresent())
                    .isEqualTo(version.committed().isPresent());
        }
    }

    private static boolean gitIsInstalled() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "git")));
    }

    @Test
    void aCommitWithItsTimeIsRead() throws IOException {
        assertThat(read("""
                version = 1.2.0
                commit = 0123456789abcdef0123456789abcdef01234567-dirty
                committed = 1772359200
                """))
                .isEqualTo(new BuildVersion(
                        "1.2.0",
                        Optional.of("0123456789abcdef0123456789abcdef01234567-dirty"),
                        Optional.of(Instant.parse("2026-03-01T10:00:00Z"))));
    }

    @Test
    void placeholdersThatNothingFilledInAreUnknown() throws IOException {
        BuildVersion none = new BuildVersion(BuildVersion.UNKNOWN, Optional.empty(), Optional.empty());

        assertThat(read("version = ${project.version}\ncommit = ${sluice.build.commit}\ncommitted = ${x}\n"))
                .as("classes that an IDE has built")
                .isEqualTo(none);
        assertThat(read("version = 1.2.0\ncommit = $Format:%H$\ncommitted = $Format:%ct$\n"))
                .as("sources that are neither a checkout nor an archive of git")
                .isEqualTo(new BuildVersion("1.2.0", Optional.empty(), Optional.empty()));
        assertThat(none.commitText()).isEqualTo("unknown");
        assertThat(none.committedText()).isEqualTo("unknown");
    }

    private static BuildVersion read(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        return BuildVersion.of(properties);
    }
}
