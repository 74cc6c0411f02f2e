package io.sluice.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortProbeTest {
    @TempDir
    private Path home;

    private Finding finding(String address, int port) throws Exception {
        Path server = Files.writeString(home.resolve("canal.properties"), """
                canal.serverMode = tcp
                canal.tcp.allow.anonymous = true
                canal.destinations = shop
                canal.instance.master.address = db:3306
                canal.ip = %s
                canal.port = %d
                canal.metrics.pull.ip = 127.0.0.1
                canal.metrics.pull.port = 0
                """.formatted(address, port));
        Findings findings = new Findings();
        new PortProbe(ConfigLoader.load(server, home, Environment.ofThisProcess(), ProducerCheck.NONE)
                        .server())
                .run(findings);
        return findings.list().stream()
                .filter(one -> one.subject().equals("canal.port"))
                .findFirst()
                .orElseThrow();
    }

    /** A migration and an update are checked while the server that is replaced runs. */
    @Test
    void aPortInUseIsNoFailureForTheServerThatListensThereMayBeReplaced() throws Exception {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            Finding finding = finding("127.0.0.1", used.getLocalPort());

            assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
            assertThat(finding.evidence()).contains("127.0.0.1:" + used.getLocalPort());
            assertThat(finding.remedy()).startsWith("none if the server that this one replaces listens there");
        }
    }

    /** As on another machine than the one that is to run the server; 192.0.2.1 is of no machine. */
    @Test
    void anAddressOfAnotherMachineIsNoPortThatIsInUse() throws Exception {
        Finding finding = finding("192.0.2.1", 11111);

        assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
        assertThat(finding.remedy())
                .contains("on the machine that is to run the server")
                .doesNotContain("ss -ltnp");
    }
}
