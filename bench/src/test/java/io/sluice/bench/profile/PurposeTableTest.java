package io.sluice.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.profile.StackSamples.Stack;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PurposeTableTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "C2 CompilerThre | | COMPILING",
                "GC Thread#1 | | COLLECTING",
                "VM Thread | | COLLECTING",
                "main | java/lang/ClassLoader.loadClass | STARTING",
                "DestroyJavaVM | java/lang/ClassLoader.loadClass | STARTING",
                "x-reader | io/sluice/mysql/A.b;jdk/internal/misc/Unsafe.park;futex_wait_[k] | WAITING",
                "producer | org/apache/kafka/A.b;sun/nio/ch/EPoll.wait;epoll_wait | WAITING",
                "sender-x | org/apache/kafka/A.b;sun/nio/ch/EventFD.set0;write | WAITING",
                "producer | org/apache/kafka/A.b;sun/nio/ch/IOUtil.write;_copy_[k] | KAFKA_SOCKET",
                "producer | org/apache/kafka/A.b;updateBytesCRC32C | KAFKA_CHECKSUMS",
                "sender-x | io/sluice/connector/A.b;org/apache/kafka/A.b | KAFKA",
                "x-reader | io/sluice/mysql/A.b;java/util/zip/CRC32.updateBytes | EVENT_CHECKSUMS",
                "x-reader | io/sluice/mysql/A.b;sun/nio/ch/IOUtil.read;_copy_[k] | SOURCE_SOCKET",
                "encoder-1 | io/sluice/format/entry/RowsProtobuf.write;io/sluice/format/value/IntType.put | VALUES",
                "encoder-1 | io/sluice/format/entry/RowsProtobuf.write;io/sluice/format/entry/RowImages.scan | SCANNING",
                "encoder-1 | io/sluice/format/entry/ProtobufEncoder.write;io/sluice/format/entry/RowsProtobuf.write | ROWS",
                "encoder-1 | io/sluice/format/entry/ProtobufEncoder.write | ENTRIES",
                "converter-1 | io/sluice/connector/api/convert/PacketConverter.convert | MESSAGES",
                "sender-x | io/sluice/connector/api/deliver/BatchSender.run | DELIVERY",
                "encoder-1 | io/sluice/stream/pipeline/OrderedPublisher.put;io/sluice/store/ring/EntryRing.put | DELIVERY",
                "x-reader | io/sluice/stream/pipeline/EventReader.read | READING",
                "timer-1 | java/lang/Thread.run | REST",
            })
    void aStackHasItsPurpose(String thread, String frames, Purpose purpose) {
        assertThat(Purpose.of(stack(thread, frames == null ? "" : frames))).isEqualTo(purpose);
    }

    @Test
    void sharesAreOfTheirColumnsAndPurposesOfNoneAreLeftOut() {
        StackSamples first = new StackSamples();
        first.add(stack("main", "a/B.c"), 3);
        first.add(stack("timer", "a/B.c"), 1);
        StackSamples second = new StackSamples();
        second.add(stack("timer", "a/B.c"), 5);
        PurposeTable table = new PurposeTable();
        table.add("one", first);
        table.add("two", second);

        assertThat(table.markdown()).isEqualTo("""
                | % | one | two |
                | --- | ---: | ---: |
                | the JVM's start | 75.0 | 0.0 |
                | rest | 25.0 | 100.0 |
                """);
    }

    private static Stack stack(String thread, String frames) {
        return new Stack(thread, List.of(frames.split(";")));
    }
}
