package io.sluice.admin;

import io.sluice.server.version.BuildVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/** Starts the admin server. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public class AdminApplication {
    private static final Logger LOG = LoggerFactory.getLogger(AdminApplication.class);
    /** Names the file that {@code startup.sh} waits for. */
    private static final String STARTED_FILE = "sluice.started.file";

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /** Writes for {@code startup.sh} that the server answers: the address and the version, a line each. */
    @EventListener
    void ready(ApplicationReadyEvent event) throws IOException {
        Environment environment = event.getApplicationContext().getEnvironment();
        boolean hasTls = environment.containsProperty("server.ssl.certificate")
                || environment.containsProperty("server.ssl.key-store")
                || environment.containsProperty("server.ssl.bundle");
        String address = environment.getProperty("server.address", "localhost");
        String url = "%s://%s:%s"
                .formatted(
                        hasTls ? "https" : "http",
                        address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address,
                        environment.getProperty("local.server.port", "8089"));
        String version = BuildVersion.ofThisBuild().version();
        LOG.info("the admin server answers: url={} version={}", url, version);
        String file = System.getProperty(STARTED_FILE);
        if (file != null) {
            Files.writeString(Path.of(file), url + "\n" + version + "\n");
        }
    }

    /**
     * Starts the server, and returns when it answers.
     *
     * @param args properties as {@code --server.port=8089}
     */
    public static void main(String[] args) {
        Locale.setDefault(
                Locale.ENGLISH); // else numbers in texts that programs read have the digits of the system's language
        SpringApplication.run(AdminApplication.class, args);
    }
}
