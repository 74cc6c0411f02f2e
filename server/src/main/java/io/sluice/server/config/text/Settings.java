package io.sluice.server.config.text;

import io.sluice.protocol.tls.KeyStoreFile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives the values of one lookup as types, and gathers what is wrong with them. A wrong value is reported and its
 * default given instead, so that reading continues and finds the next.
 */
public final class Settings {
    /** The problems of one key; each quotes its value, so that many of a long one would take long. */
    private static final int MAX_PROBLEMS = 20;

    private final Lookup lookup;
    private final Set<Problem> problems;
    private final Map<String, Integer> counts = new HashMap<>();

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
            reject(key, "must be " + key.type().allowed());
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
                complain(file, sentence(type, String.valueOf(e.getMessage())));
                return Optional.empty();
            }
        });
    }

    public @Nullable Setting raw(String key) {
        return lookup.find(key);
    }

    /** Whether nothing is set; not so for what is set, but cannot be used. */
    public boolean isBlank(Key<?> key) {
        Setting setting = lookup.find(key.name());
        return setting == null || (setting.isBlank() && !setting.isUnusable());
    }

    /** Whether a key is set to nothing on purpose; not so for what is absent, or cannot be used. */
    public boolean isSetBlank(Key<?> key) {
        Setting setting = lookup.find(key.name());
        return setting != null && setting.isBlank() && !setting.isUnusable();
    }

    /** What to show of the value of a key, in a sentence about another one. */
    public String shown(Key<?> key) {
        Setting setting = lookup.find(key.name());
        if (setting == null || setting.isBlank()) {
            return key.standard();
        }
        return isSecret(key, setting) ? Secret.MASK : Masking.sentence(setting.text());
    }

    /** Whether the value of a key must not be shown. */
    public boolean isSecret(Key<?> key) {
        Setting setting = lookup.find(key.name());
        return setting != null && isSecret(key, setting);
    }

    /** A sentence about a key that is set, as it may be shown: nothing secret of the value is in it. */
    public String sentence(Key<?> key, String sentence) {
        Setting setting = lookup.find(key.name());
        if (setting == null) {
            return Masking.sentence(sentence);
        }
        return isSecret(key, setting)
                ? Masking.about(setting.text(), sentence)
                : Masking.aboutWritten(setting.text(), sentence);
    }

    /** Reports something about a key that is set. If the value is secret and the complaint quotes it, the complaint is not shown. */
    public void complain(Key<?> key, String complaint) {
        if (counts.getOrDefault(key.name(), 0) < MAX_PROBLEMS) {
            reject(key, sentence(key, complaint));
        }
    }

    /** Reports something about a key that is set, by a complaint that quotes nothing of its value. */
    public void reject(Key<?> key, String complaint) {
        Setting setting = lookup.find(key.name());
        if (setting == null || setting.isUnusable()) {
            return; // not set, or reported already
        }
        if (counts.merge(key.name(), 1, Integer::sum) > MAX_PROBLEMS) {
            return;
        }
        String value = key.isSecret() ? key.masked(setting.text()) : Masking.shown(key.name(), setting);
        String text =
                isSecret(key, setting) || value.isEmpty() || setting.text().equals(setting.raw())
                        ? complaint
                        : complaint + " (written as " + Masking.sentence(setting.raw()) + ")";
        problems.add(new Problem(setting.origin(), key.name(), value, text));
    }

    /** Reports that a key has no value: where it is set to nothing, or else in the file in which it should be. */
    public void complain(Origin file, Key<?> key, String complaint) {
        problems.add(missing(file, key.name(), complaint));
    }

    /** The problem that a key has no value; see {@link #complain(Origin, Key, String)}. */
    public Problem missing(Origin file, String key, String complaint) {
        Setting setting = lookup.find(key);
        if (setting == null || !setting.isBlank() || setting.isUnusable()) {
            return new Problem(file, key, "", complaint);
        }
        return new Problem(
                setting.origin(),
                key,
                Masking.shown(key, setting.raw()),
                "%s; %s".formatted(complaint, whyBlank(key, setting)));
    }

    private String whyBlank(String key, Setting setting) {
        for (String name : PlaceholderNames.of(setting.raw())) {
            Setting meant = lookup.find(name);
            if (meant == null && !OutsideValues.isKind(name)) {
                return "it is blank, since there is no key named " + name;
            }
            if (meant != null && meant.isBlank()) {
                return "it is blank, since %s is".formatted(name);
            }
        }
        return key + " is blank here";
    }

    private static boolean isSecret(Key<?> key, Setting setting) {
        return key.isSecret() || setting.content() == Setting.Content.SECRET;
    }
}
