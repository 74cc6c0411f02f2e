package io.sluice.server.config.origin;

import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The texts that a configuration is read from: files, those of an admin server, or some that a client has sent. */
public interface ConfigTexts {
    /**
     * {@code canal.properties}.
     *
     * @param problems gets what cannot be read
     */
    PropertiesFile server(Set<Problem> problems, Set<Warning> warnings);

    /**
     * The instances that there are, beside those that the server's text names.
     *
     * @param confDirectory where the files of instances are
     * @param problems gets what cannot be read
     */
    List<String> found(Path confDirectory, Set<Problem> problems);

    /**
     * The {@code instance.properties} of an instance; empty if it has none.
     *
     * @param problems gets what cannot be read
     */
    PropertiesFile instance(Path confDirectory, String destination, Set<Problem> problems, Set<Warning> warnings);

    /**
     * Whether an instance that the server's text names has no text of its own for certain. With automatic scanning it does not run then.
     *
     * @param confDirectory where the files of instances are
     */
    default boolean lacks(Path confDirectory, String destination) {
        return false;
    }

    /**
     * When the file of an instance was modified at last; empty if it has none, or that is not known.
     *
     * @param confDirectory where the files of instances are
     */
    default Optional<Instant> modified(Path confDirectory, String destination) {
        return Optional.empty();
    }

    /** Whether {@link #found} are all instances that there are, whatever the server's text names. */
    default boolean namesAll() {
        return isManaged();
    }

    /**
     * How many of the instances that the server's text names are read, at least one: where an instance has no text of its own, it inherits
     * the same settings as others that the server's text has no keys of.
     */
    default int mostInstances() {
        return Integer.MAX_VALUE;
    }

    /** Whether {@link #found} and what the server's text names are all instances of the server, and not a part of them. */
    default boolean knowsDestinations() {
        return true;
    }

    /**
     * Where an instance of {@link #found} comes from.
     *
     * @param confDirectory where the files of instances are
     */
    default Origin origin(Path confDirectory, String destination) {
        return new Origin.BuiltIn();
    }

    /** Whether these texts determine where the configuration is, so that their settings of an admin server must be right. */
    default boolean sayWhere() {
        return false;
    }

    /** Whether they are those of a server on this machine, so that other files here are what canal would read in its place. */
    default boolean areHere() {
        return false;
    }

    /** Whether they are read with the address of the machine that they are for, and not with a substitute for it. */
    default boolean knowsAddress() {
        return true;
    }

    /** Where the admin server is that they are from; empty if they are from none. */
    default String address() {
        return "";
    }

    /** Whether canal's mode {@code manager} holds: a setting of an instance in the server's text wins over that of its own text. */
    default boolean isManaged() {
        return false;
    }
}
