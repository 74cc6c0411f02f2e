package io.sluice.testkit.mysql;

import io.sluice.testkit.process.Commands;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A MySQL on disk. */
final class MySqlInstallation extends Installation {
    private static final String REDO_LOG = "8M";

    private final ServerRelease release;

    MySqlInstallation(ServerRelease release, Path home, Programs programs) {
        super(home, programs);
        this.release = release;
    }

    @Override
    void initialise(Path into) {
        Path log = into.resolve("initialise.log");
        List<String> command = common(into.resolve("data"), into);
        command.addAll(List.of(
                "--initialize-insecure",
                "--secure-file-priv=NULL",
                "--skip-log-bin",
                "--innodb-doublewrite=0",
                "--" + redoLogOption() + "=" + REDO_LOG,
                "--innodb-flush-method=nosync",
                "--log-error=" + log));
        Commands.Outcome outcome = Commands.run(into, environment(), command);
        if (!outcome.isSuccess()) {
            throw new IllegalStateException(
                    "%s could not be initialised, see %s: %s".formatted(release, log, outcome.output()));
        }
    }

    @Override
    Map<String, String> settings(Path data) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("secure-file-priv", "NULL");
        settings.put("log-error-verbosity", "2");
        if (release != ServerRelease.MYSQL_5_7_22) {
            settings.put("mysqlx", "OFF");
        }
        settings.put(redoLogOption(), hasResizableRedoLog() ? "32M" : REDO_LOG);
        return settings;
    }

    private String redoLogOption() {
        return hasResizableRedoLog() ? "innodb-redo-log-capacity" : "innodb-log-file-size";
    }

    private boolean hasResizableRedoLog() {
        return release.compareTo(ServerRelease.MYSQL_8_0_31) >= 0;
    }
}
