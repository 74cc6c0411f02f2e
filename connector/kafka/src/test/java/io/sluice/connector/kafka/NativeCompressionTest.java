package io.sluice.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NativeCompressionTest {
    @TempDir
    Path directory;

    /** Checks one compression, in a JVM of its own: a library that is loaded stays so. */
    public static void main(String[] arguments) {
        try {
            NativeCompression.check(Compression.of(arguments[0]).build());
            System.out.println("loaded");
        } catch (ProducerConfigException e) {
            System.out.println(e.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void allCompressionsWorkHere(CompressionType type) {
        assertThatCode(() -> NativeCompression.check(Compression.of(type).build()))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "snappy"})
    void aLibraryThatCannotBeUnpackedIsReportedWithARemedy(String type) throws IOException {
        Path wrong = Files.createFile(directory.resolve("file")); // a missing directory is made by snappy

        assertThat(checkedWith(wrong, type))
                .contains(
                        "kafka.compression.type",
                        type + " needs a native library",
                        "java.io.tmpdir (" + wrong + ")",
                        "choose lz4 or gzip");
    }

    @Test
    void lz4NeedsNone() throws IOException {
        assertThat(checkedWith(Files.createFile(directory.resolve("file")), "lz4"))
                .contains("loaded");
    }

    private String checkedWith(Path temporary, String type) {
        return Commands.run(
                        directory,
                        Map.of(),
                        List.of(
                                Commands.java(),
                                "-Djava.io.tmpdir=" + temporary,
                                "-cp",
                                System.getProperty("java.class.path"),
                                NativeCompressionTest.class.getName(),
                                type))
                .output();
    }
}
