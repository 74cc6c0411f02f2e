package io.sluice.admin.config;

import io.sluice.server.config.ReadConfiguration;
import io.sluice.server.config.read.ConfigLoader;
import io.sluice.server.config.read.EffectiveConfiguration;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.OutsideValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Texts of a server and perhaps of an instance, as files in a directory that only this process reads, for as long as they are read.
 * They are read as a server on another machine would: files and variables of this machine do not count.
 */
final class ConfigTexts {
    /** A processor more or less changes defaults only. */
    private static final int PROCESSORS = 4;

    private final Path base;
    private final Path serverFile;
    private final Environment environment;

    private ConfigTexts(Path base, Environment environment) {
        this.base = base;
        this.serverFile = base.resolve("conf").resolve("canal.properties");
        this.environment = environment;
    }

    /**
     * Writes the texts, lets them be read, and removes them.
     *
     * @param destination a name that is one of an instance
     * @param instance empty: there is no file of the instance
     * @param overrides values that win over the texts
     */
    static <T> T read(
            String server,
            String destination,
            Optional<String> instance,
            Map<String, String> overrides,
            Function<ConfigTexts, T> reading) {
        Path base = null;
        try {
            base = Files.createTempDirectory("sluice-check-").toRealPath(); // for this user only
            ConfigTexts texts = new ConfigTexts(base, environment(overrides));
            Files.createDirectories(base.resolve("bin"));
            Files.createDirectories(
                    texts.instanceFile(destination).resolve("..").normalize());
            Files.writeString(texts.serverFile, server, StandardCharsets.UTF_8);
            if (instance.isPresent()) {
                Files.writeString(texts.instanceFile(destination), instance.get(), StandardCharsets.UTF_8);
            }
            return reading.apply(texts);
        } catch (IOException e) {
            throw new UncheckedIOException("a configuration cannot be written to be checked", e);
        } finally {
            if (base != null) {
                delete(base, destination);
            }
        }
    }

    private static void delete(Path base, String destination) {
        Path conf = base.resolve("conf");
        for (Path path : List.of(
                conf.resolve(destination).resolve("instance.properties"),
                conf.resolve("canal.properties"),
                conf.resolve(destination),
                conf,
                base.resolve("bin"),
                base)) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Environment environment(Map<String, String> overrides) {
        Map<String, String> properties = new HashMap<>(overrides);
        properties.put(OutsideValues.ELSEWHERE, "true");
        properties.put("canal.conf.dir", "../conf");
        try {
            Inet4Address address = (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            return new Environment(properties, Map.of(), address, PROCESSORS);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are always an address", e);
        }
    }

    Path serverFile() {
        return serverFile;
    }

    Path instanceFile(String destination) {
        return base.resolve("conf").resolve(destination).resolve("instance.properties");
    }

    ReadConfiguration configuration() {
        return ConfigLoader.read(serverFile, base.resolve("bin"), environment, ProducerCheck.NONE);
    }

    EffectiveConfiguration effective(ReadConfiguration read) throws ConfigException {
        return EffectiveConfiguration.read(read.configuration(), base.resolve("bin"), environment);
    }

    /** Returns a sentence with the names of the files in place of their paths. */
    String withoutPaths(String sentence, String destination) {
        return sentence.replace(instanceFile(destination).toString(), "instance.properties")
                .replace(serverFile.toString(), "canal.properties")
                .replace(base.toString(), "");
    }
}
