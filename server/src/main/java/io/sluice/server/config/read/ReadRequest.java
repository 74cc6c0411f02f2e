package io.sluice.server.config.read;

import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.OutsideValues;
import java.nio.file.Path;

/**
 * What a configuration is read from, and with.
 *
 * @param texts the texts of the server and of its instances
 * @param file the server's file, which relative names in messages are about
 * @param baseDirectory the directory that relative paths start from
 * @param environment the system properties and variables that win over the texts
 * @param outside reads the values that placeholders name outside of the texts
 * @param producerCheck finds what is wrong with the producer's properties
 * @param stores has the key stores of former readings
 */
public record ReadRequest(
        ConfigTexts texts,
        Path file,
        Path baseDirectory,
        Environment environment,
        OutsideValues outside,
        ProducerCheck producerCheck,
        KeyStoreCheck stores) {
    /** A request of a single reading, which opens each key store. */
    public ReadRequest(
            ConfigTexts texts,
            Path file,
            Path baseDirectory,
            Environment environment,
            OutsideValues outside,
            ProducerCheck producerCheck) {
        this(texts, file, baseDirectory, environment, outside, producerCheck, new KeyStoreCheck());
    }
}
