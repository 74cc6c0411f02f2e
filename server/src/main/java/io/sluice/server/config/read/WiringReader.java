package io.sluice.server.config.read;

import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Lookup;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import java.util.Locale;
import java.util.Set;

/** Reads what {@code canal.properties} sets for one instance, by keys with its name or those of all instances. */
final class WiringReader {
    private final String destination;
    private final Lookup server;
    private final Settings settings;
    private final Set<Warning> warnings;

    /**
     * Makes a reader.
     *
     * @param server the lookup of the server
     * @param settings the same, with the problems of the instance
     * @param warnings gets what the operator should know at each start
     */
    WiringReader(String destination, Lookup server, Settings settings, Set<Warning> warnings) {
        this.destination = destination;
        this.server = server;
        this.settings = settings;
        this.warnings = warnings;
    }

    /** Checks that the configuration is in files, as it is. With an admin server the key has no effect, as with canal. */
    void checkMode() {
        Key<String> key = ServerKeys.MODE.countingFor(destination, server);
        String mode = settings.get(key).toLowerCase(Locale.ROOT);
        if (mode.equals("manager")) {
            settings.reject(
                    key,
                    "needs canal.admin.manager, the address of an admin server; for configuration in files, use spring");
        } else if (!mode.equals("spring")) {
            settings.reject(key, "must be spring");
        }
    }

    /** Where the cursor is kept: by the name of the wiring's file. */
    CursorKind cursorKind() {
        Key<String> key = ServerKeys.WIRING.countingFor(destination, server);
        String path = settings.get(key);
        return switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "file-instance.xml" -> CursorKind.FILE;
            case "default-instance.xml" -> CursorKind.ZOOKEEPER;
            case "memory-instance.xml" -> CursorKind.MEMORY;
            case "group-instance.xml" -> {
                settings.reject(
                        key,
                        "several sources in one instance have no common position to continue from: make an"
                                + " instance of each; with a queue they may share one canal.mq.topic");
                yield CursorKind.FILE;
            }
            default -> {
                settings.reject(
                        key,
                        "only the wirings file-instance.xml, default-instance.xml and memory-instance.xml below"
                                + " classpath:spring/ are available in this version");
                yield CursorKind.FILE;
            }
        };
    }

    /**
     * Whether the instance waits for its first client.
     *
     * @param queue whether entries are sent to a queue, whose sender is there from the start
     */
    boolean isLazy(boolean queue) {
        Key<Boolean> key = ServerKeys.LAZY.countingFor(destination, server);
        boolean lazy = settings.get(key);
        if (lazy && queue) {
            warnings.add(new Warning.General(
                    key.name() + " has no effect with a queue, whose sender is a client from the start"));
        }
        return lazy && !queue;
    }
}
