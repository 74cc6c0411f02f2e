package io.sluice.server.config.text;

import io.sluice.protocol.tls.KeyStoreFile;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives the values of one lookup as types, and gathers what is wrong with them. A wrong value is reported and its
 * default given instead, so that reading continues and finds the next.
 */
public final class Settings {
    private final Lookup lookup;
    private final Set<Problem> problems;

    public Settings(Lookup lookup, Set<Problem> problems) {
        this.lookup = lookup;
        this.problems = problems;
    }

    /** The value of a key that has a default. */
    public <T> T get(Key<T> key) {
        return find(key).orElseGet(() -> key.type().parser().apply(key.standard()));
    }

    /** The value of a key; empty if it is absent, blank or wrong. */
    public <T> Optional<T> find(Key<T> key) {
        Setting setting = lookup.find(key.name());
        if (setting == null || setting.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(key.type().parser().apply(setting.text()));
        } catch (IllegalArgumentException e) {
            complain(key, "must be " + key.type().allowed());
            return Optional.empty();
        }
    }

    /** The key store that some keys describe; empty if no file is named, or something is wrong. */
    public Optional<KeyStoreFile> findKeyStore(Key<String> type, Key<String> file, Key<Secret> password) {
        return find(file).flatMap(location -> {
            try {
                return Optional.of(
                        new KeyStoreFile(get(type), location, get(password).value()));
            } catch (IllegalArgumentException e) {
                complain(file, String.valueOf(e.getMessage()));
                return Optional.empty();
            }
        });
    }

    public @Nullable Setting raw(String key) {
        return lookup.find(key);
    }

    public boolean isBlank(Key<?> key) {
        Setting setting = lookup.find(key.name());
        return setting == null || setting.isBlank();
    }

    /** Reports something about a key that is set. */
    public void complain(Key<?> key, String complaint) {
        Setting setting = lookup.find(key.name());
        if (setting != null) {
            String value = key.masked(setting.text());
            String text = value.isEmpty() || value.equals(setting.raw()) || Key.isSecret(key.name())
                    ? complaint
                    : complaint + " (written as " + setting.raw() + ")";
            problems.add(new Problem(setting.origin(), key.name(), value, text));
        }
    }

    /** Reports something where a value should be and is not. */
    public void complain(Origin origin, Key<?> key, String complaint) {
        problems.add(new Problem(origin, key.name(), "", complaint));
    }
}
