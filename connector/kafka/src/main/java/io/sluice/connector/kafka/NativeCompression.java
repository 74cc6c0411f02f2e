package io.sluice.connector.kafka;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.ProducerConfigException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/** Whether this machine can compress: the native libraries of zstd and snappy are unpacked into the directory of {@code java.io.tmpdir}. */
final class NativeCompression {
    private static final int BUFFER = 512;

    /** The version of the format of record batches. */
    private static final byte MAGIC = 2;

    private NativeCompression() {}

    /**
     * Compresses once, so that a library that cannot be loaded is reported before there is a message.
     *
     * @throws ProducerConfigException with the remedy
     */
    static void check(Compression compression) {
        try (OutputStream compressor = compression.wrapForOutput(new ByteBufferOutputStream(BUFFER), MAGIC)) {
            compressor.write(0);
        } catch (IOException | RuntimeException | LinkageError e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ProducerConfigException(List.of(new ConfigProblem(
                    "kafka.compression.type",
                    "%s needs a native library, which cannot be loaded from java.io.tmpdir (%s): let it be a directory that can be written and is not mounted noexec (-Djava.io.tmpdir=<directory> in JAVA_OPTS), or choose lz4 or gzip; cause: %s"
                            .formatted(
                                    compression.type().name,
                                    System.getProperty("java.io.tmpdir"),
                                    String.valueOf(cause).lines().findFirst().orElse("")))));
        }
    }
}
