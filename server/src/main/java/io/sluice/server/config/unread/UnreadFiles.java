package io.sluice.server.config.unread;

import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.key.ClusterKeys;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.MemoryKeys;
import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.InstanceLookup;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Key.Scope;
import io.sluice.server.config.text.Key.Support;
import io.sluice.server.config.text.Lookup;
import io.sluice.server.config.text.Placeholders;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Warning;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Warns of keys of instances that have another value in canal, since canal reads files that are not read here, as {@link CanalConf} has
 * them. Values are compared as they count for each instance, with their placeholders filled in.
 */
public final class UnreadFiles {
    private final ConfigTexts texts;
    private final Path file;
    private final PropertiesFile server;
    private final Path baseDirectory;
    private final Environment environment;
    private final Set<Warning> warnings;
    private final CanalConf canal;
    private final Optional<PropertiesFile> canalServer;
    private final Set<String> ofServer = new TreeSet<>();

    /**
     * Creates it.
     *
     * @param file the server's file
     * @param server the text of the server that counts
     */
    public UnreadFiles(
            ConfigTexts texts,
            Path file,
            PropertiesFile server,
            Path baseDirectory,
            Environment environment,
            Set<Warning> warnings) {
        this.texts = texts;
        this.file = file;
        this.server = server;
        this.baseDirectory = baseDirectory;
        this.environment = environment;
        this.warnings = warnings;
        this.canal = new CanalConf(file, baseDirectory);
        this.canalServer = texts.areHere() ? canal.server() : Optional.empty();
    }

    /** Compares the values of one instance, and warns of its file in {@code conf/} if that is another one. */
    public void check(Path confDirectory, String destination, CursorKind cursors, PropertiesFile instance) {
        if (texts.isManaged()) {
            // Here another warning states that the file of the instance is not read.
            canalServer.ifPresent(unread -> {
                PropertiesFile local = unread.under(canal.instance(destination));
                Lookup counting = lookup(local, instance.under(server).withoutBlanks(), destination);
                for (String name :
                        differing(lookup(instance, server, destination), counting, cursors, local, instance)) {
                    Setting theirs = counting.find(name);
                    if (theirs != null && isIn(unread, theirs)) {
                        ofServer.add(name);
                    }
                }
            });
            return;
        }
        Optional<PropertiesFile> canalInstance =
                texts.areHere() ? canal.instance(confDirectory, destination) : Optional.empty();
        if (canalServer.isEmpty() && canalInstance.isEmpty()) {
            return;
        }
        PropertiesFile otherServer = canalServer.orElse(server);
        PropertiesFile otherInstance = canalInstance.orElse(instance);
        Lookup own = lookup(server, instance, destination);
        Lookup theirs = lookup(otherServer, otherInstance, destination);
        Set<String> ofInstance = new TreeSet<>();
        for (String name : differing(own, theirs, cursors, otherServer, otherInstance, server, instance)) {
            Setting there = theirs.find(name);
            Setting cause = there == null ? own.find(name) : there;
            boolean isOfInstance = canalServer.isEmpty()
                    || (canalInstance.isPresent()
                            && cause != null
                            && (isIn(otherInstance, cause) || isIn(instance, cause)));
            (isOfInstance ? ofInstance : ofServer).add(name);
        }
        Path read = FileTexts.instanceFile(confDirectory, destination);
        warn(
                otherInstance,
                "%s is %s; canal reads it, and not %s".formatted(ServerKeys.CONF_DIR.name(), confDirectory, read),
                ofInstance,
                "in %s what is meant, and, if no other server reads it, remove or rename this file".formatted(read));
    }

    /** Warns of {@code conf/canal.properties}, after all instances were checked. */
    public void warnOfServer() {
        canalServer.ifPresent(unread -> {
            if (texts.isManaged()) {
                warn(
                        unread,
                        "the configuration is at %s; canal takes from it what the texts there lack or leave blank"
                                .formatted(texts.address()),
                        ofServer,
                        "what is meant in the texts of the instances at %s, and remove these keys from this file"
                                .formatted(texts.address()));
            } else {
                warn(
                        unread,
                        "the configuration is in %s; canal takes the keys of instances from it, and none from %s"
                                .formatted(file, file),
                        ofServer,
                        "in %s what is meant, and, if no other server is started with it, remove or rename this file"
                                .formatted(file));
            }
        });
    }

    private void warn(PropertiesFile unread, String reason, Set<String> keys, String remedy) {
        if (keys.isEmpty()) {
            return;
        }
        List<String> places = Stream.of(MemoryKeys.DATA_DIR.name(), ClusterKeys.ZOOKEEPER.name())
                .filter(keys::contains)
                .toList();
        String cursor = places.isEmpty()
                ? ""
                : "; canal's cursors are where its %s says, and an instance that finds none here begins at the newest position"
                        .formatted(String.join(" and ", places));
        warnings.add(new Warning.At(
                unread.origin(),
                "this file is not read, since %s, so that these have other values in canal: %s%s; set %s"
                        .formatted(reason, String.join(", ", keys), cursor, remedy)));
    }

    /** With nothing from outside of the files: a value that needs it is compared as it is written. */
    private Lookup lookup(PropertiesFile below, PropertiesFile winner, String destination) {
        return new InstanceLookup(environment, below, winner, destination, Placeholders.ofComparedTexts());
    }

    private Set<String> differing(Lookup own, Lookup theirs, CursorKind cursors, PropertiesFile... files) {
        Set<String> names = new TreeSet<>();
        for (PropertiesFile one : files) {
            names.addAll(one.settings().keySet());
        }
        names.removeIf(name -> {
            Key<?> key = Keys.find(name);
            if (key == null || key.text().ours()) {
                return true; // canal has no such key
            }
            if (name.equals(ClusterKeys.ZOOKEEPER.name())) {
                return cursors != CursorKind.ZOOKEEPER || isSameEnsemble(own.find(name), theirs.find(name));
            }
            return key.scope() != Scope.INSTANCE
                    || key.support() == Support.INERT
                    || key.support() == Support.LATER
                    || isSame(key, own.find(name), theirs.find(name));
        });
        return names;
    }

    /** Also if canal has none, which then does not run like this. */
    private static boolean isSameEnsemble(@Nullable Setting ours, @Nullable Setting theirs) {
        return theirs == null
                || theirs.isBlank()
                || (ours != null && ClusterKeys.isSameEnsemble(ours.text(), theirs.text()));
    }

    private boolean isSame(Key<?> key, @Nullable Setting ours, @Nullable Setting theirs) {
        if (isUnusable(ours) || isUnusable(theirs)) {
            return ours != null && theirs != null && ours.raw().equals(theirs.raw());
        }
        if (key.name().equals(MemoryKeys.DATA_DIR.name())) {
            return directory(text(ours, key)).equals(directory(text(theirs, key)));
        }
        return text(ours, key).equals(text(theirs, key)) || (isQuiet(key, ours) && isQuiet(key, theirs));
    }

    private static boolean isUnusable(@Nullable Setting setting) {
        return setting != null && setting.isUnusable();
    }

    private static boolean isQuiet(Key<?> key, @Nullable Setting setting) {
        return setting == null || key.isQuiet(setting);
    }

    private static String text(@Nullable Setting setting, Key<?> key) {
        return setting == null || setting.isBlank() ? key.standard() : setting.text();
    }

    private Path directory(String text) {
        try {
            return baseDirectory.resolve(text).normalize();
        } catch (InvalidPathException e) {
            return baseDirectory; // which is a problem where it counts
        }
    }

    private static boolean isIn(PropertiesFile one, Setting setting) {
        return setting.origin().document().equals(one.origin().document());
    }
}
