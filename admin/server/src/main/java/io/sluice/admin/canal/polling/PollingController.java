package io.sluice.admin.canal.polling;

import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.Owner;
import io.sluice.admin.config.StoredText;
import io.sluice.admin.config.UnreadChanges;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Gives servers their configuration, as canal-admin does; whatever comes after {@code /api/} is ignored. */
@RestController
@RequestMapping("/api/{env}/config")
class PollingController {
    private static final Logger LOG = LoggerFactory.getLogger(PollingController.class);
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9:][A-Za-z0-9._:-]{0,254}");
    private static final int MAX_PORT = 65_533; // two more are derived from it
    private static final int LONGEST_NAME = 255;

    private final PollingGuard guard;
    private final PollingStore store;
    private final ConfigStore configurations;
    private final UnreadChanges unread;
    private final boolean isRegistering;

    PollingController(
            PollingGuard guard,
            PollingStore store,
            ConfigStore configurations,
            UnreadChanges unread,
            PollingProperties properties) {
        this.guard = guard;
        this.store = store;
        this.configurations = configurations;
        this.unread = unread;
        this.isRegistering = properties.autoRegister();
    }

    /**
     * The {@code canal.properties} of a server.
     *
     * @param md5 of what it has; the data is null if that is the newest, or the server unknown
     */
    @GetMapping("/server_polling")
    Envelope server(
            @RequestHeader(required = false) @Nullable String user,
            @RequestHeader(required = false) @Nullable String passwd,
            @RequestParam(defaultValue = "") String ip,
            @RequestParam(defaultValue = "0") String port,
            @RequestParam(defaultValue = "") String md5,
            @RequestParam(defaultValue = "0") String register,
            @RequestParam(defaultValue = "") String cluster,
            @RequestParam(defaultValue = "") String name,
            HttpServletRequest request) {
        return answer(request, user, passwd, () -> {
            long newest = unread.newest();
            int number = port(port);
            if (newest > 0) {
                store.serversWithoutControlUrl(ip, number).forEach(server -> unread.readServer(server, newest));
            }
            Optional<Owner> owner = store.find(ip, number);
            if (owner.isEmpty() && isTrue(register) && md5.isEmpty()) {
                owner = Optional.of(register(ip, number, cluster, name));
            }
            return owner.flatMap(configurations::text)
                    .filter(text -> !text.md5().equalsIgnoreCase(md5))
                    .map(PollingController::data)
                    .orElse(null);
        });
    }

    private static boolean isTrue(String flag) {
        return flag.equals("1") || flag.equalsIgnoreCase("true");
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            LOG.debug("a port is no number", e);
        }
        throw new PollingException("port must be the server's canal.admin.port");
    }

    private Owner register(String ip, int port, String cluster, String name) {
        if (!isRegistering) {
            throw new PollingException(
                    "the server %s:%d is not known here: add it on the page of the servers, or set sluice.admin.auto-register=true in the admin server's conf/application.yml"
                            .formatted(ip, port));
        }
        if (!HOST.matcher(ip).matches()) {
            throw new PollingException("ip must be an address: set canal.register.ip");
        }
        Long clusterId = null;
        if (!cluster.isBlank()) {
            clusterId = store.cluster(cluster.strip())
                    .orElseThrow(() -> new PollingException(
                            "there is no cluster of that name (canal.admin.register.cluster): create it here before"));
        }
        String shown = name.isBlank() ? ip : name.strip().replaceAll("\\p{Cntrl}", "");
        // One at a time: a server that asks again before it was answered must not be added twice.
        synchronized (store) {
            return store.register(
                    ip, port, shown.length() > LONGEST_NAME ? shown.substring(0, LONGEST_NAME) : shown, clusterId);
        }
    }

    /**
     * The names of the instances that a server is to run, separated by commas; empty: none. A server that asks for them asks for its own
     * configuration before, and for those of the instances after that, so it reads all changes.
     */
    @GetMapping("/instances_polling")
    Envelope instances(
            @RequestHeader(required = false) @Nullable String user,
            @RequestHeader(required = false) @Nullable String passwd,
            @RequestParam(defaultValue = "") String ip,
            @RequestParam(defaultValue = "0") String port,
            @RequestParam(defaultValue = "") String md5,
            HttpServletRequest request) {
        return answer(request, user, passwd, () -> {
            long newest = unread.newest();
            int number = port(port);
            Object data = store.find(ip, number)
                    .map(owner -> {
                        String names = String.join(",", configurations.enabledInstances(owner));
                        String hash = ConfigStore.md5(names);
                        return data(hash.equalsIgnoreCase(md5) ? null : names, hash, "", null);
                    })
                    .orElse(null);
            if (newest > 0) {
                store.serversWithoutControlUrl(ip, number).forEach(server -> unread.readInstances(server, newest));
            }
            return data;
        });
    }

    /**
     * The {@code instance.properties} of an instance.
     *
     * @param md5 of what the server has; the content is null if that is the newest
     */
    @GetMapping("/instance_polling/{destination}")
    Envelope instance(
            @RequestHeader(required = false) @Nullable String user,
            @RequestHeader(required = false) @Nullable String passwd,
            @PathVariable String destination,
            @RequestParam(defaultValue = "") String md5,
            HttpServletRequest request) {
        return answer(
                request,
                user,
                passwd,
                () -> configurations
                        .enabledInstance(destination)
                        .map(text -> data(
                                text.md5().equalsIgnoreCase(md5) ? null : text.content(),
                                text.md5(),
                                text.name(),
                                text.id()))
                        .orElse(null));
    }

    private static Object data(StoredText text) {
        return data(text.content(), text.md5(), text.name(), text.id());
    }

    private static Object data(@Nullable String content, String md5, String name, @Nullable Long id) {
        return new Data(id, name, content, md5, "1");
    }

    /** What canal's objects of configurations have, as far as servers may read it. */
    record Data(@Nullable Long id, String name, @Nullable String content, String contentMd5, String status) {}

    /** Something that is wrong with a call; the message is sent. */
    private static final class PollingException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PollingException(String message) {
            super(message);
        }
    }

    private Envelope answer(
            HttpServletRequest request,
            @Nullable String user,
            @Nullable String password,
            Supplier<@Nullable Object> data) {
        Optional<String> rejection = guard.rejection(request.getRemoteAddr(), user, password);
        if (rejection.isPresent()) {
            return Envelope.unauthorized(rejection.get());
        }
        try {
            return Envelope.of(data.get());
        } catch (PollingException e) {
            LOG.warn("a server gets no configuration: address={} reason={}", request.getRemoteAddr(), e.getMessage());
            return Envelope.failed(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("a server gets no configuration: address={}", request.getRemoteAddr(), e);
            return Envelope.failed(
                    "the configuration cannot be read: logs/admin.log of the admin server has the reason");
        }
    }
}
