package io.sluice.admin;

import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/** Starts the admin server. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public class AdminApplication {
    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /**
     * Starts the server, and returns when it answers.
     *
     * @param args properties as {@code --server.port=8089}
     */
    public static void main(String[] args) {
        SpringApplication.run(AdminApplication.class, args);
    }
}
