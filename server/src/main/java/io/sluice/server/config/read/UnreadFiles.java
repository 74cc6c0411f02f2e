package io.sluice.server.config.read;

import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Key.Scope;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Warns of files from which canal takes keys of instances, and this server does not: canal reads {@code conf/canal.properties} also if it is
 * started with another file, and {@code conf/<destination>/instance.properties} whatever {@code canal.conf.dir} says.
 */
final class UnreadFiles {
    private final ConfigTexts texts;
    private final Path file;
    private final PropertiesFile server;
    private final Path canalConf;
    private final Set<String> warnings;

    /**
     * Creates it.
     *
     * @param file the server's file
     * @param server the text of the server that counts
     */
    UnreadFiles(ConfigTexts texts, Path file, PropertiesFile server, Path baseDirectory, Set<String> warnings) {
        this.texts = texts;
        this.file = file;
        this.server = server;
        this.canalConf = baseDirectory.resolve("../conf").normalize();
        this.warnings = warnings;
    }

    /** Warns of keys in {@code conf/canal.properties} that are not, or otherwise, in what was read instead, unless all instances set them. */
    void checkServer(List<PropertiesFile> instances) {
        Path unread = canalConf.resolve("canal.properties");
        find(unread, file).ifPresent(found -> {
            // At an admin server the texts win in canal, too: its file counts for what they lack.
            Set<String> keys = differing(found, server::find, !texts.isManaged());
            keys.removeIf(key -> instances.stream().allMatch(instance -> instance.find(key) != null));
            warn(unread, "the configuration is in " + file, keys, file);
        });
    }

    /** Warns of keys in the file that an instance has for canal which are not, or otherwise, in the one that was read. */
    void checkInstance(Path confDirectory, String destination, PropertiesFile instance) {
        if (texts.isManaged()) {
            return; // which does not read it, and says so
        }
        Path unread = FileTexts.instanceFile(canalConf, destination);
        Path read = FileTexts.instanceFile(confDirectory, destination);
        find(unread, read)
                .ifPresent(found -> warn(
                        unread,
                        "%s is %s".formatted(ServerKeys.CONF_DIR.name(), confDirectory),
                        differing(
                                found, key -> instance.find(key) != null ? instance.find(key) : server.find(key), true),
                        read));
    }

    private Optional<PropertiesFile> find(Path unread, Path read) {
        if (!texts.areHere()) {
            return Optional.empty();
        }
        try {
            return !Files.exists(unread) || (Files.exists(read) && Files.isSameFile(unread, read))
                    ? Optional.empty()
                    : Optional.of(PropertiesFile.read(unread, new LinkedHashSet<>(), new LinkedHashSet<>()));
        } catch (IOException e) {
            return Optional.empty(); // nothing depends on it here
        }
    }

    /** The keys that are set to something in the one, and not, or perhaps otherwise, in what counts; sorted. */
    private static Set<String> differing(
            PropertiesFile unread, Function<String, @Nullable Setting> counting, boolean orOtherwise) {
        Set<String> names = new TreeSet<>();
        unread.settings().forEach((name, setting) -> {
            Key<?> key = Keys.find(name);
            if (key == null || key.scope() != Scope.INSTANCE) {
                return;
            }
            Setting other = counting.apply(name);
            boolean isDifferent = other == null
                    ? !key.isQuiet(setting)
                    : orOtherwise && !other.raw().equals(setting.raw());
            if (isDifferent) {
                names.add(name);
            }
        });
        return names;
    }

    private void warn(Path unread, String reason, Set<String> keys, Path read) {
        if (!keys.isEmpty()) {
            warnings.add(
                    "%s: this file is not read, since %s; canal takes keys of instances from it in any case, and these are not set, or otherwise, in what is read: %s; set those that are meant in %s, and remove all from this file"
                            .formatted(unread, reason, String.join(", ", keys), read));
        }
    }
}
