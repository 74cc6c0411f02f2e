package io.sluice.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.mysql.wire.ServerVersion;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceSettingsTest {
    @TempDir
    Path folder;

    @Test
    void aBinlogInPagesOfAnEngineIsNotSupported() throws Exception {
        Map<String, String> values = Map.of("log_bin", "ON", "binlog_storage_engine", "innodb");

        assertThat(findings("12.3.2-MariaDB", values))
                .filteredOn(finding -> finding.subject().equals("binlog_storage_engine"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.verdict()).isEqualTo(Verdict.FAILED));
        assertThat(findings("12.3.2-MariaDB", Map.of("log_bin", "ON", "binlog_storage_engine", "")))
                .extracting(Finding::subject)
                .doesNotContain("binlog_storage_engine");
    }

    @Test
    void whatTheServerKeepsACloudServiceMayPurge() throws Exception {
        assertThat(findings("8.0.31", Map.of("log_bin", "ON", "binlog_expire_logs_seconds", "2592000")))
                .filteredOn(finding -> finding.subject().equals("retention"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.OK);
                    assertThat(finding.evidence())
                            .contains("after 30 days (binlog_expire_logs_seconds=2592000)")
                            .endsWith("a cloud service may purge them earlier");
                });
    }

    @Test
    void amazonIsKnownByItsServers() {
        assertThat(variables("8.0.mysql_aurora.3.08.0", Map.of("aurora_version", "3.08.0"))
                        .isAmazon())
                .isTrue();
        assertThat(variables("8.0.40", Map.of("basedir", "/rdsdbbin/mysql/")).isAmazon())
                .isTrue();
        assertThat(variables("8.0.40", Map.of("basedir", "/usr/")).isAmazon()).isFalse();
    }

    @Test
    void hoursThatMayNotBeReadAreUnknown() throws Exception {
        Retention denied = new Retention(
                Retention.Kind.AMAZON_UNKNOWN, Duration.ZERO, "binlog retention hours: SELECT command denied");

        assertThat(findings(variables("8.0.40", Map.of("log_bin", "ON")), denied))
                .filteredOn(finding -> finding.subject().equals("retention"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.UNKNOWN);
                    assertThat(finding.remedy()).contains("mysql.rds_show_configuration");
                });
    }

    /** Amazon purges at once what is older than the hours that are set. */
    @Test
    void noRemedyLowersTheHoursThatAreSetAtAmazon() throws Exception {
        assertThat(new Retention(Retention.Kind.AMAZON, Duration.ofDays(7), "binlog retention hours=168").remedy())
                .isEqualTo("raise 'binlog retention hours' (168 now) by CALL mysql.rds_set_configuration");

        Retention few = new Retention(Retention.Kind.AMAZON, Duration.ofHours(12), "binlog retention hours=12");
        assertThat(findings(variables("8.0.40", Map.of("log_bin", "ON")), few))
                .filteredOn(finding -> finding.subject().equals("retention"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.remedy())
                        .startsWith("raise 'binlog retention hours' (12 now)")
                        .endsWith(", to the longest outage that is to be survived"));
    }

    @Test
    void aRemedyNamesTheVariableThatTheServerHas() throws Exception {
        assertThat(findings("5.7.44", Map.of("log_bin", "ON", "expire_logs_days", "0.5")))
                .filteredOn(finding -> finding.subject().equals("retention"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                    assertThat(finding.remedy()).startsWith("raise expire_logs_days, to the longest outage");
                });
    }

    private static SourceVariables variables(String version, Map<String, String> values) {
        return new SourceVariables(ServerVersion.parse(version), values);
    }

    private List<Finding> findings(String version, Map<String, String> values) throws Exception {
        SourceVariables variables = variables(version, values);
        return findings(variables, Retention.ofServer(variables));
    }

    private List<Finding> findings(SourceVariables variables, Retention retention) throws Exception {
        InstanceConfig config = config();
        Findings findings = new Findings();
        new SourceSettings(config, config.source().hosts().get(0), true, findings).judge(variables, retention);
        return findings.list();
    }

    private InstanceConfig config() throws Exception {
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("conf/shop"));
        Files.write(
                folder.resolve("conf/canal.properties"),
                List.of("canal.serverMode=tcp", "canal.destinations=shop", "canal.ip=127.0.0.1"));
        Files.write(
                folder.resolve("conf/shop/instance.properties"),
                List.of("canal.instance.master.address=127.0.0.1:3306", "canal.instance.dbPassword=secret"));
        Environment environment =
                new Environment(Map.of(), Map.of(), (Inet4Address) InetAddress.getLoopbackAddress(), 2);
        return ConfigLoader.load(
                        folder.resolve("conf/canal.properties"), folder.resolve("bin"), environment, ProducerCheck.NONE)
                .instances()
                .get(0);
    }
}
