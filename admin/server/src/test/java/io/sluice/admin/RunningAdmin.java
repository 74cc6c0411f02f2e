package io.sluice.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The admin server, in this process, on a port of its own. */
public final class RunningAdmin implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final Path data;

    private RunningAdmin(ConfigurableApplicationContext context, Path data) {
        this.context = context;
        this.data = data;
    }

    /**
     * Starts it.
     *
     * @param data where its files are
     * @param properties more of them, as {@code name=value}
     */
    public static RunningAdmin start(Path data, String... properties) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.main.register-shutdown-hook=false",
                "--server.shutdown=immediate",
                "--sluice.database.file=" + data.resolve("admin.db"),
                "--sluice.account.initial-password-file=" + data.resolve("initial-password")));
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new RunningAdmin(SpringApplication.run(AdminApplication.class, arguments.toArray(String[]::new)), data);
    }

    public int port() {
        return webServer().getPort();
    }

    /** The server of its port. */
    public TomcatWebServer webServer() {
        return (TomcatWebServer) ((ServletWebServerApplicationContext) context).getWebServer();
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** The password of the first administrator. */
    public String initialPassword() {
        try {
            return Browser.passwordIn(data.resolve("initial-password"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A browser without a session. */
    public Browser browser() {
        return new Browser(port());
    }

    /** The first administrator, logged in, with a password that was changed to {@link Browser#PASSWORD}. */
    public Browser administrator() {
        try {
            return Browser.administrator(port(), data.resolve("initial-password"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
