package io.sluice.server.config.read;

import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.ServerLookup;
import io.sluice.server.config.text.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The result of reading {@code canal.properties}, and the readers whose checks continue with each instance.
 *
 * @param config the settings of the server
 * @param file the text
 * @param lookup finds the values that count for the server
 * @param settings the same values, by their types
 * @param unusable the names of instances that no instance can have
 * @param withoutFile the instances that are named and do not run, by destination with the file that is missing
 * @param keys checks the keys that are set
 * @param queue reads the settings of messages
 * @param clusters reads the settings of several servers
 */
record ReadServer(
        ServerConfig config,
        PropertiesFile file,
        ServerLookup lookup,
        Settings settings,
        List<String> unusable,
        Map<String, Path> withoutFile,
        KeyCheck keys,
        QueueReader queue,
        ClusterReader clusters) {
    /** Where a key of the server is missing. */
    Origin origin() {
        return file.origin();
    }
}
