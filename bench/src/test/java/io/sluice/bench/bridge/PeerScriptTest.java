package io.sluice.bench.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.record.ArrivedRows;
import io.sluice.bench.record.FlatReader;
import io.sluice.bench.record.Format;
import io.sluice.bench.record.RawReader;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tally;
import io.sluice.bench.workload.Totals;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerScriptTest {
    @TempDir
    Path folder;

    @Test
    void aScriptPrintsTheProcessThatItStarted() throws IOException {
        PeerScript peer = script("echo Starting", "echo 4711");

        assertThat(peer.start(job(Format.FLAT))).isEqualTo(4711);
        assertThat(peer.reader(job(Format.FLAT))).isInstanceOf(FlatReader.class);
        assertThat(peer.reader(job(Format.RAW))).isInstanceOf(RawReader.class);
    }

    @Test
    void aScriptMayNameTheDialectOfItsRecords() throws IOException {
        PeerScript peer = script("echo records=maxwell", "echo 4711");
        peer.start(job(Format.FLAT));

        ArrivedRows rows = new ArrivedRows();
        peer.reader(job(Format.FLAT))
                .read(
                        "{\"table\":\"orders\",\"type\":\"insert\",\"data\":{\"id\":7,\"amount\":1}}"
                                .getBytes(StandardCharsets.UTF_8),
                        rows);
        assertThat(rows.totals()).isEqualTo(new Totals(new Tally(1, 7, 100), Tally.NONE, Tally.NONE));
    }

    @Test
    void aScriptMayRejectACell() throws IOException {
        PeerScript peer = script("[ \"$FORMAT\" = flat ] || { echo 'only JSON here'; exit 3; }", "echo 4711");

        assertThat(peer.start(job(Format.FLAT))).isEqualTo(4711);
        assertThatThrownBy(() -> peer.start(job(Format.RAW)))
                .isInstanceOf(UnsupportedCellException.class)
                .hasMessage("only JSON here");
    }

    @Test
    void aScriptThatFailsOrPrintsNoProcessIsAnError() throws IOException {
        assertThatThrownBy(() -> script("echo 4711", "exit 1").start(job(Format.FLAT)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("status 1");
        assertThatThrownBy(() -> script("echo 4711", "echo Started").start(job(Format.FLAT)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Started");
    }

    private BridgeJob job(Format form) {
        RecordedBinlog binlog = new RecordedBinlog(folder, "binlog.000001", 4, Totals.NONE);
        Cell cell = new Cell(Workload.usual(WorkloadKind.MIXED), form, Routing.SINGLE, Compression.NONE);
        return new BridgeJob("127.0.0.1", 3306, binlog, "127.0.0.1:9092", "topic", cell, folder);
    }

    private PeerScript script(String... lines) throws IOException {
        Path file = folder.resolve("peer.sh");
        Files.writeString(file, "#!/usr/bin/env bash\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return new PeerScript(file);
    }
}
