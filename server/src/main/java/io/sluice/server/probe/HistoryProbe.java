package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.HistoryServerReport;
import java.io.IOException;
import java.time.Duration;

/** Tries the MySQL server of a schema history: login, the rights to the tables if they exist, and whether a snapshot of all table schemas fits into a statement. */
final class HistoryProbe implements Probe {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long MIB = 1 << 20;

    /** What a table of 40 columns has in a snapshot, about. */
    private static final long BYTES_PER_TABLE = 2_048;

    private static final String LOGIN =
            "check canal.instance.tsdb.url, canal.instance.tsdb.dbUsername and canal.instance.tsdb.dbPassword";

    private final HistoryConfig config;
    private final HistoryLocation.MySql location;
    private final int tables;

    /** @param tables how many tables of the source pass the filter; 0 if that is not known */
    HistoryProbe(HistoryConfig config, HistoryLocation.MySql location, int tables) {
        this.config = config;
        this.location = location;
        this.tables = tables;
    }

    @Override
    public void run(Findings findings) {
        try {
            judge(
                    HistoryServerReport.read(location, config.user(), config.password(), config.destination(), TIMEOUT),
                    findings);
        } catch (IOException e) {
            findings.failed("login", String.valueOf(e.getMessage()), LOGIN);
        }
    }

    private void judge(HistoryServerReport report, Findings findings) {
        findings.ok("login", config.user());
        String account = "grant select, insert, update, delete, create, alter, index on `%s`.* to the account"
                .formatted(location.schema());
        if (!report.hasSchema()) {
            findings.unknown(
                    "tables",
                    "the schema %s does not exist, and whether the account may create it is not tried"
                            .formatted(location.schema()),
                    "create it, and " + account);
        } else if (!report.denied().isEmpty()) {
            findings.failed("tables", String.join("; ", report.denied()), account);
        } else {
            findings.ok(
                    "tables",
                    report.tables().isEmpty()
                            ? "they are created at the first start"
                            : String.join(", ", report.tables()) + ": can be read and written");
        }
        if (!report.changes().isEmpty()) {
            findings.warning(
                    "form of tables",
                    "they are as canal makes them, and too narrow for some texts; the next start changes them, for which the account needs ALTER",
                    String.join("; ", report.changes()));
        }
        judgeSize(report, findings);
    }

    private void judgeSize(HistoryServerReport report, Findings findings) {
        long needed = Math.max(report.snapshotBytes(), tables * BYTES_PER_TABLE);
        String evidence = "max_allowed_packet is %d MiB, and a snapshot of all table schemas has about %d KiB%s"
                .formatted(
                        report.maxPacketBytes() / MIB,
                        needed / 1024,
                        report.snapshotBytes() >= needed ? "" : ", if tables have 40 columns");
        if (2 * needed <= report.maxPacketBytes()) {
            findings.ok("max_allowed_packet", evidence);
        } else {
            findings.warning(
                    "max_allowed_packet",
                    evidence + ": the instance does not start if it does not fit",
                    "set global max_allowed_packet = %d, and in the server's configuration file"
                            .formatted((4 * needed / MIB + 1) * MIB));
        }
    }
}
