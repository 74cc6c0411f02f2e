package io.sluice.server.config.read;

import io.sluice.server.config.key.AdminKeys;
import io.sluice.server.config.key.ControlKeys;
import io.sluice.server.config.key.MetricsKeys;
import io.sluice.server.config.key.PullKeys;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The ports that a server listens on. No two of them may have one number, unless they listen on different addresses. A port that stays
 * closed conflicts with none, nor does one whose number the system chooses.
 */
final class ListeningPorts {
    private final Settings settings;
    private final Origin file;
    private final ServerConfig server;
    private final boolean readsFiles;
    private final List<Port> ports = new ArrayList<>();

    /**
     * A port.
     *
     * @param key the key of its number
     * @param number from 1 to 65535
     * @param address what to listen on; blank for all addresses
     */
    private record Port(Key<Integer> key, int number, String address) {
        boolean conflictsWith(Port other) {
            return number == other.number && overlaps(address, other.address);
        }
    }

    /**
     * Gathers the ports of a server.
     *
     * @param settings the server's own
     * @param file the server's file, where a key is missing
     * @param readsFiles whether the file with the tokens of the control API is the one of this machine
     */
    ListeningPorts(Settings settings, Origin file, ServerConfig server, boolean readsFiles) {
        this.settings = settings;
        this.file = file;
        this.server = server;
        this.readsFiles = readsFiles;
        server.tcp().ifPresent(tcp -> add(PullKeys.PORT, tcp.port(), tcp.address(), PullKeys.LISTEN_ADDRESS));
        server.metrics()
                .ifPresent(metrics -> add(MetricsKeys.PORT, metrics.port(), metrics.address(), MetricsKeys.ADDRESS));
        server.control()
                .ifPresent(control -> add(ControlKeys.PORT, control.port(), control.address(), ControlKeys.ADDRESS));
        server.admin()
                .ifPresent(admin -> add(
                        AdminKeys.PORT,
                        admin.port(),
                        admin.address(),
                        settings.isBlank(AdminKeys.ADDRESS) ? PullKeys.LISTEN_ADDRESS : AdminKeys.ADDRESS));
    }

    /** What cannot be read is reported already, and what it was meant to be is unknown. */
    private void add(Key<Integer> key, int number, String address, Key<String> addressKey) {
        boolean isReadable = settings.isBlank(key) || settings.find(key).isPresent();
        Setting place = settings.raw(addressKey.name());
        if (number > 0 && isReadable && (place == null || !place.isUnusable())) {
            ports.add(new Port(key, number, address));
        }
    }

    /** Reports each pair that conflicts, at one of its keys that is set. */
    void check() {
        for (int i = 0; i < ports.size(); i++) {
            for (int j = 0; j < i; j++) {
                Port first = ports.get(j);
                Port second = ports.get(i);
                if (second.conflictsWith(first) && mayOpen(first.key()) && mayOpen(second.key())) {
                    report(first.key(), second.key());
                }
            }
        }
    }

    /** The control API is off until something may call it. By its default port alone it keeps no other from being there before that. */
    private boolean mayOpen(Key<Integer> key) {
        return !key.equals(ControlKeys.PORT)
                || !settings.isBlank(key)
                || server.control()
                        .filter(control ->
                                !control.certificates().isEmpty() || (readsFiles && Files.exists(control.accessFile())))
                        .isPresent();
    }

    private void report(Key<Integer> first, Key<Integer> second) {
        Key<Integer> wrong = settings.isBlank(second) ? first : second;
        Key<Integer> other = wrong.equals(first) ? second : first;
        String complaint = "is %s too%s: each needs a port of its own"
                .formatted(other.name(), settings.isBlank(other) ? ", by default" : "");
        if (settings.isBlank(wrong)) {
            settings.complain(file, wrong, complaint);
        } else {
            settings.reject(wrong, complaint);
        }
    }

    /** Whether a connection to one address could be meant for the other: if they are the same, or one of them means all. */
    private static boolean overlaps(String one, String other) {
        if (one.isBlank() || other.isBlank() || one.equalsIgnoreCase(other)) {
            return true;
        }
        Optional<InetAddress> first = resolve(one);
        Optional<InetAddress> second = resolve(other);
        return first.isPresent()
                && second.isPresent()
                && (first.get().isAnyLocalAddress()
                        || second.get().isAnyLocalAddress()
                        || hasSameText(first.get(), second.get()));
    }

    /** With the interface of an IPv6 address, which {@code equals} leaves out. */
    private static boolean hasSameText(InetAddress one, InetAddress other) {
        return one.getHostAddress().equals(other.getHostAddress());
    }

    /** The address that a name is bound to; empty if there is none, which opening the port reports. */
    private static Optional<InetAddress> resolve(String name) {
        try {
            return Optional.of(InetAddress.getByName(name));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
