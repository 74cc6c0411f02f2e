package io.sluice.connector.kafka;

import net.jpountz.lz4.LZ4Factory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the native library of lz4 for Kafka's client.
 *
 * <p>lz4-java takes it by itself only if the application's class loader has loaded lz4-java. A plugin has a class loader of
 * its own, so there it compresses in Java, for several times the processor time, unless the library is loaded here.
 */
final class NativeLz4 {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLz4.class);

    private NativeLz4() {}

    /**
     * Loads the library, for all that this class loader's lz4-java compresses from now on.
     *
     * <p>It is unpacked into the directory of {@code java.io.tmpdir}. Where that cannot be, because there is no library for this
     * platform or the directory forbids programs, Kafka continues in Java, which costs time and nothing else.
     */
    static void load() {
        try {
            LZ4Factory.nativeInstance();
        } catch (UnsupportedOperationException | LinkageError e) {
            LOG.info("Batches are compressed in Java: the native lz4 cannot be loaded reason={}", String.valueOf(e));
        }
    }
}
