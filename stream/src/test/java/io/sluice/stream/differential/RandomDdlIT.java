package io.sluice.stream.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many seeds; a few are run with the tests of each server. */
@Tag("thorough")
class RandomDdlIT {
    private static final long FIRST = Long.getLong("sluice.seed", 1);
    private static final int SEEDS = Integer.getInteger("sluice.seeds", 10);
    private static final int STEPS = Integer.getInteger("sluice.steps", 150);
    private static final String RELEASE = System.getProperty("sluice.release", "");
    /** Only MySQL 5.7 and MariaDB take it with data that were made without it. */
    private static final boolean FOLDS_NAMES = Boolean.getBoolean("sluice.fold");

    private static final String SCRIPT = System.getProperty("sluice.script", "");

    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MYSQL_9_7", "MARIADB_10_11", "MARIADB_11_8"})
    void namesAndValuesAreThoseOfTheServer(ServerRelease release, @TempDir Path folder) throws Exception {
        assumeTrue(RELEASE.isEmpty() || RELEASE.equals(release.name()), "another release is wanted");
        List<String> failures = new ArrayList<>();
        MySqlOptions options = MySqlOptions.defaults().release(release);
        if (FOLDS_NAMES) {
            options = options.with("lower-case-table-names", "1");
        }
        try (MySqlServer server = MySqlServer.start(options)) {
            RandomDdl ddl = new RandomDdl(server, folder, Boolean.getBoolean("sluice.warnings"));
            if (!SCRIPT.isEmpty()) {
                ddl.requireNoDifference(Files.readString(Path.of(SCRIPT)));
                return;
            }
            for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
                try {
                    ddl.requireNoDifference(seed, STEPS);
                } catch (AssertionError e) {
                    failures.add(e.getMessage());
                } catch (ServerEndedException e) {
                    failures.add("seed " + seed + ": " + e.getMessage());
                    server.restart();
                }
            }
        }
        assertThat(failures).as(String.join("\n", failures)).isEmpty();
    }
}
