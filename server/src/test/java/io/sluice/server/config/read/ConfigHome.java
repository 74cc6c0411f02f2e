package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Problem;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The directory of a server with its configuration files, and the environment they are read in. */
public final class ConfigHome {
    /** The least that a server needs. */
    public static final String SERVER = """
            canal.serverMode = kafka
            canal.destinations = shop
            kafka.bootstrap.servers = 127.0.0.1:9092
            """;

    /** The least that an instance needs. */
    public static final String SHOP = """
            canal.instance.master.address = db:3306
            canal.mq.topic = shop
            """;

    public final Map<String, String> systemProperties = new HashMap<>();
    public final Map<String, String> variables = new HashMap<>();

    /** Those that the JVM was started with. */
    final List<String> jvmOptions = new ArrayList<>();

    private final Path home;

    /** That of the machine on which {@link #load()} reads it. */
    Inet4Address address = address(10, 20, 30, 40);

    public ConfigHome(Path home) {
        this.home = home;
        write("bin/.keep", "");
        write("conf/.keep", "");
    }

    public Path serverFile() {
        return home.resolve("conf/canal.properties");
    }

    /** A reader of this directory on a machine with four processors. */
    public ConfigReader reader(Path serverFile) {
        return new ConfigReader(
                serverFile,
                home.resolve("bin"),
                new Environment(
                        systemProperties, variables, Environment.ofThisProcess().address(), 4),
                ProducerCheck.NONE,
                new HandTime());
    }

    public Path instanceFile(String destination) {
        return home.resolve("conf").resolve(destination).resolve("instance.properties");
    }

    public void server(String text) {
        write("conf/canal.properties", text);
    }

    public void instance(String destination, String text) {
        write("conf/" + destination + "/instance.properties", text);
    }

    public void instance(String destination, String text, Charset charset) {
        write("conf/" + destination + "/instance.properties", text, charset);
    }

    /** Writes a file, and gives its path. */
    public Path write(String name, String text) {
        return write(name, text, StandardCharsets.UTF_8);
    }

    private Path write(String name, String text, Charset charset) {
        Path file = home.resolve(name);
        try {
            Files.createDirectories(file.resolveSibling("."));
            return Files.writeString(file, text, charset);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Configuration load() throws ConfigException {
        return load(ProducerCheck.NONE);
    }

    public Configuration load(ProducerCheck producerCheck) throws ConfigException {
        return ConfigLoader.load(
                serverFile(),
                home.resolve("bin"),
                new Environment(systemProperties, variables, address, 4, jvmOptions),
                producerCheck);
    }

    public List<String> problems() {
        return problems(ProducerCheck.NONE);
    }

    public List<String> problems(ProducerCheck producerCheck) {
        return catchThrowableOfType(ConfigException.class, () -> load(producerCheck)).problems().stream()
                .map(Problem::toString)
                .toList();
    }

    public static Inet4Address address(int... bytes) {
        byte[] address = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            address[i] = (byte) bytes[i];
        }
        try {
            return (Inet4Address) InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
