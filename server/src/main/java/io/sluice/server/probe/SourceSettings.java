package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.wire.ServerVersion;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.instance.PartialImageRules;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.BinlogStorage;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Judges the version and the settings of a source by what an instance needs. */
final class SourceSettings {
    private static final Duration SHORT_RETENTION = Duration.ofHours(24);
    private static final String RETENTION = "retention";

    private final InstanceConfig config;
    private final SourceHost host;
    private final String partialImages;
    private final Findings findings;

    /**
     * Makes it for one host of an instance.
     *
     * @param flat whether rows leave as flat messages
     */
    SourceSettings(InstanceConfig config, SourceHost host, boolean flat, Findings findings) {
        this.config = config;
        this.host = host;
        this.partialImages = new PartialImageRules(config, flat).consequence();
        this.findings = findings;
    }

    void judge(SourceVariables server, Retention retention) {
        version(server.version());
        if (!server.writesBinlog()) {
            findings.failed(
                    "log_bin",
                    "OFF: the server writes no binlog",
                    "start the server with log_bin and a server_id, or name another host");
            return;
        }
        findings.ok("log_bin", "ON");
        if (!server.hasBinlogFiles()) {
            findings.failed(
                    BinlogStorage.VARIABLE,
                    server.get(BinlogStorage.VARIABLE) + ": a binlog that is not in files is not supported",
                    BinlogStorage.REMEDY);
            return;
        }
        format(server.get("binlog_format"));
        image(server.get("binlog_row_image"));
        valueOptions(server);
        gtids(server);
        serverId(server);
        retention(retention);
    }

    private void version(ServerVersion version) {
        String what =
                (version.mariaDb() ? "MariaDB " : "MySQL ") + version.text().replaceFirst("^5\\.5\\.5-", "");
        boolean isKnown = version.major() > 0;
        boolean isSupported = version.mariaDb() ? version.atLeast(10, 11, 0) : version.atLeast(5, 7, 0);
        if (!isKnown) {
            findings.unknown("version", what + " states no version", "");
        } else if (isSupported) {
            findings.ok("version", what);
        } else {
            findings.warning(
                    "version",
                    what + " is older than what this version is tested with",
                    "use MySQL 5.7 or later, or MariaDB 10.11 or later");
        }
    }

    private void format(String value) {
        SourceOptions source = config.source();
        if (rejects("binlog_format", value, source.acceptedFormats(), "canal.instance.binlog.format")) {
            return;
        }
        switch (value.toUpperCase(Locale.ROOT)) {
            case "ROW", "" -> findings.ok("binlog_format", value.isEmpty() ? "ROW, as always" : value);
            case "MIXED" ->
                findings.warning(
                        "binlog_format",
                        "MIXED: some changes are logged as statements, and delivered without rows",
                        "set global binlog_format=ROW, and connect all applications again");
            default ->
                findings.failed(
                        "binlog_format",
                        value + ": changes are logged as statements, and no rows are delivered",
                        "set global binlog_format=ROW, also in the server's file, and connect all applications again");
        }
    }

    private void image(String value) {
        if (rejects("binlog_row_image", value, config.source().acceptedImages(), "canal.instance.binlog.image")) {
            return;
        }
        boolean isFull = value.isEmpty() || value.equalsIgnoreCase("FULL");
        if (isFull || partialImages.isEmpty()) {
            findings.ok("binlog_row_image", value.isEmpty() ? "FULL, as always" : value);
        } else {
            findings.warning(
                    "binlog_row_image",
                    value + ": " + partialImages.substring(0, partialImages.lastIndexOf("; ")),
                    partialImages.substring(partialImages.lastIndexOf("; ") + 2));
        }
    }

    private boolean rejects(String variable, String value, List<String> accepted, String key) {
        if (value.isEmpty() || accepted.isEmpty() || accepted.contains(value.toUpperCase(Locale.ROOT))) {
            return false;
        }
        findings.failed(
                variable,
                "%s, but %s allows only %s".formatted(value, key, String.join(",", accepted)),
                "set global %s=%s, or change %s".formatted(variable, accepted.get(0), key));
        return true;
    }

    private void valueOptions(SourceVariables server) {
        String value = server.get("binlog_row_value_options");
        boolean isPartial = value.toUpperCase(Locale.ROOT).contains("PARTIAL_JSON");
        String image = server.get("binlog_row_image");
        if (isPartial && !image.isEmpty() && !image.equalsIgnoreCase("FULL")) {
            findings.warning(
                    "binlog_row_value_options",
                    "%s with binlog_row_image=%s: changed JSON is delivered as a text of functions, in the format debezium left out"
                            .formatted(value, image),
                    "set global binlog_row_image=FULL, or binlog_row_value_options=''");
        } else {
            findings.ok("binlog_row_value_options", value.isEmpty() ? "not set" : value);
        }
    }

    private void gtids(SourceVariables server) {
        PositionOptions positions = config.source().positions();
        String mode = server.get("gtid_mode");
        String evidence = server.version().mariaDb()
                ? "MariaDB has a GTID for every transaction"
                : "gtid_mode=%s, enforce_gtid_consistency=%s".formatted(mode, server.get("enforce_gtid_consistency"));
        String remedy = "set enforce_gtid_consistency=ON, then gtid_mode to OFF_PERMISSIVE, ON_PERMISSIVE and ON";
        if (server.hasGtids()) {
            findings.ok("GTIDs", evidence);
        } else if (host.start() instanceof ConfiguredStart.After) {
            findings.failed(
                    "GTIDs", evidence + ", but the configured start is a GTID set", remedy + ", or start elsewhere");
        } else if (positions.showsGtids()) {
            findings.warning(
                    "GTIDs",
                    evidence + ": messages have no GTIDs despite canal.instance.gtidon=true",
                    remedy + ", or set canal.instance.gtidon=false");
        } else if (config.source().hosts().size() > 1) {
            findings.warning(
                    "GTIDs",
                    evidence + ": another host is read by time, which repeats the changes of the last "
                            + positions.fallback().toSeconds() + " s",
                    remedy);
        } else {
            findings.ok("GTIDs", evidence + ": positions are files and offsets");
        }
    }

    private void serverId(SourceVariables server) {
        String id = server.get("server_id");
        if (id.equals("0")) {
            findings.failed(
                    "server_id",
                    "0: the server sends its binlog to no replica",
                    "set global server_id to a number of its own");
        } else if (id.equals(Long.toString(config.source().replicaServerId()))) {
            findings.warning(
                    "server_id",
                    id + " is the server id of this instance, too, but each of both has to be told apart",
                    "give this instance a server id of its own by canal.instance.mysql.slaveId");
        }
    }

    private void retention(Retention retention) {
        Duration period = retention.period();
        String setting = retention.setting();
        switch (retention.kind()) {
            case SERVER -> {
                if (period.isZero()) {
                    findings.ok(RETENTION, "the server purges no files of the binlog by age, but a cloud service may");
                } else {
                    keptFor(retention, ", a cloud service may purge them earlier");
                }
            }
            case AMAZON -> keptFor(retention, "");
            case AMAZON_AT_ONCE ->
                findings.warning(
                        RETENTION,
                        setting
                                + ": Amazon purges files of the binlog as soon as possible, and an instance that is stopped loses changes",
                        retention.remedy());
            case AMAZON_UNKNOWN ->
                findings.unknown(
                        RETENTION,
                        "Amazon purges files of the binlog as soon as possible if no hours are set: " + setting,
                        retention.remedy());
        }
    }

    private void keptFor(Retention retention, String more) {
        String evidence = "files of the binlog are purged after %s (%s)%s"
                .formatted(Span.of(retention.period()), retention.setting(), more);
        if (retention.period().compareTo(SHORT_RETENTION) >= 0) {
            findings.ok(RETENTION, evidence);
        } else {
            findings.warning(
                    RETENTION,
                    evidence + ": an instance that is stopped longer than that loses changes",
                    retention.remedy() + ", to the longest outage that is to be survived");
        }
    }
}
