package io.sluice.bench.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordCopiesTest {
    @TempDir
    Path folder;

    @Test
    void recordsGoToTheSamePartitionOfTheNewTopic() throws IOException {
        try (RecordCopies copies = new RecordCopies(folder)) {
            copies.add(0, 2, null, bytes("one"));
            copies.add(1, 0, bytes("key"), bytes(""));
            copies.add(0, 2, null, bytes("two"));
        }

        List<RecordCopies.Partition> partitions = RecordCopies.read(folder);
        assertThat(partitions).extracting(RecordCopies.Partition::records).containsExactly(2L, 1L);
        RecordSource first = RecordSource.open("t", partitions.get(0));
        ProducerRecord<byte[], byte[]> record = first.next();
        assertThat(record.topic()).isEqualTo("t");
        assertThat(record.partition()).isEqualTo(2);
        assertThat(record.key()).isNull();
        assertThat(record.value()).isEqualTo(bytes("one"));
        assertThat(first.progress()).isEqualTo(0.5);
        ProducerRecord<byte[], byte[]> other =
                RecordSource.open("u", partitions.get(1)).next();
        assertThat(other.key()).isEqualTo(bytes("key"));
        assertThat(other.value()).isEmpty();
    }

    @Test
    void moreThanIsKeptIsSentAgainFromTheBeginning() throws IOException {
        byte[] large = new byte[40 << 20];
        try (RecordCopies copies = new RecordCopies(folder)) {
            copies.add(0, 0, null, bytes("first"));
            for (int i = 0; i < 4; i++) {
                copies.add(0, 0, null, large);
            }
        }

        RecordCopies.Partition partition = RecordCopies.read(folder).get(0);
        RecordSource source = RecordSource.open("t", partition);
        assertThat(partition.records()).isEqualTo(5);
        assertThat(source.next().value()).isEqualTo(bytes("first"));
        for (int i = 0; i < 3; i++) {
            assertThat(source.next().value()).hasSameSizeAs(large);
        }
        assertThat(source.next().value()).isEqualTo(bytes("first"));
        assertThat(source.progress()).isEqualTo(1.0);
    }

    @Test
    void whatTheProducerTookIsReadFromItsLine() {
        ProducerFigures figures = ProducerLimit.figures(1_000, "400 2097152 2.0 1.5 300 1.25 0.75");

        assertThat(figures.rowsPerSecond()).isEqualTo(500);
        assertThat(figures.mebibytesPerSecond()).isEqualTo(1);
        assertThat(figures.cpuSecondsPerMillionRows()).isEqualTo(1_500);
        assertThat(figures.steadyCpuSecondsPerMillionRows()).isEqualTo(1_000);
        assertThatThrownBy(() -> ProducerLimit.figures(1_000, "no broker"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no broker");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
