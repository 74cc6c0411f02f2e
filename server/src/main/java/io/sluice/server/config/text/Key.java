package io.sluice.server.config.text;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A key that may be in a configuration.
 *
 * @param name as written
 * @param scope which file it belongs in
 * @param type what its value must look like
 * @param standard what holds if it is absent or blank; blank if nothing does
 * @param support what this version does with it
 * @param reason why it does not work; blank for {@link Support#NOW}
 * @param quiet the values that change nothing, for which no warning is logged that they have no effect
 * @param change what makes a new value effective
 * @param text its description for operators
 */
public record Key<T>(
        String name,
        Scope scope,
        ValueType<T> type,
        String standard,
        Support support,
        String reason,
        Set<String> quiet,
        Change change,
        KeyText text) {
    public enum Scope {
        /** {@code canal.properties} only. */
        SERVER,
        /** An instance file, or {@code canal.properties} as the default of all instances. */
        INSTANCE
    }

    public enum Support {
        /** The key works. */
        NOW,
        /** The key is accepted, but does nothing in this version, of which the operator is warned. */
        LATER,
        /** The key would change what is delivered, or where, and this version cannot: no start. The name is in the JSON of the catalogue. */
        REFUSED,
        /** The key never has an effect: canal ignores it too, or it sets up something that Sluice does not need. */
        INERT
    }

    /** What makes a new value of a key effective. */
    public enum Change {
        /** The configuration has to be read again while the server runs. */
        RELOAD,
        /** The server has to be started again. */
        RESTART
    }

    /** A key that is read once, at the start. */
    public static <T> Key<T> server(String name, ValueType<T> type, String standard) {
        return of(name, Scope.SERVER, type, standard, Change.RESTART);
    }

    /** A key that is read with its instance. */
    public static <T> Key<T> instance(String name, ValueType<T> type, String standard) {
        return of(name, Scope.INSTANCE, type, standard, Change.RELOAD);
    }

    private static <T> Key<T> of(String name, Scope scope, ValueType<T> type, String standard, Change change) {
        return new Key<>(name, scope, type, standard, Support.NOW, "", quiet(standard), change, KeyText.NONE);
    }

    /** With the value that canal's own files ship, which changes nothing either. */
    public Key<T> shipped(String value) {
        Set<String> values = new TreeSet<>(quiet);
        values.addAll(quiet(value));
        return new Key<>(name, scope, type, standard, support, reason, values, change, text);
    }

    /**
     * With its meaning.
     *
     * @param meaning a sentence or two in Markdown
     */
    public Key<T> described(String meaning) {
        return with(text.withMeaning(meaning));
    }

    /**
     * With what holds if it is absent, where that is no value that could be written.
     *
     * @param markdown such as {@code required} or {@code the JVM's time zone}
     */
    public Key<T> defaulting(String markdown) {
        return with(text.withStandard(markdown));
    }

    /** As a key of the server that is read again while it runs. */
    public Key<T> reloaded() {
        return new Key<>(name, scope, type, standard, support, reason, quiet, Change.RELOAD, text);
    }

    /** As a key that canal does not have. */
    public Key<T> ours() {
        return with(text.asOurs());
    }

    /** Returns a copy with the given name. */
    public Key<T> named(String other) {
        return new Key<>(other, scope, type, standard, support, reason, quiet, change, text);
    }

    /** As one that has no effect in this version. */
    public Key<T> later(String why) {
        return with(Support.LATER, why);
    }

    public Key<T> rejected(String why) {
        return with(Support.REFUSED, why);
    }

    /** As one that never has an effect. */
    public Key<T> inert(String why) {
        return with(Support.INERT, why);
    }

    private Key<T> with(Support other, String why) {
        return new Key<>(name, scope, type, standard, other, why, quiet, change, text);
    }

    private Key<T> with(KeyText other) {
        return new Key<>(name, scope, type, standard, support, reason, quiet, change, other);
    }

    /** Whether its value must not be shown. */
    public boolean isSecret() {
        return type.kind() == ValueKind.SECRET || isSecret(name);
    }

    /** Whether a value sets nothing but what holds anyway. */
    public boolean isQuiet(Setting setting) {
        return setting.isBlank()
                || quiet.contains(setting.raw().toLowerCase(Locale.ROOT))
                || quiet.contains(setting.text().toLowerCase(Locale.ROOT));
    }

    /** What to show of a value. */
    public String masked(String value) {
        return isSecret() && !value.isEmpty() ? Secret.MASK : value;
    }

    /** What to show of a value that is under a name, be it a key or not. */
    public static String masked(String name, String value) {
        return isSecret(name) && !value.isEmpty() ? Secret.MASK : value;
    }

    /** Whether a name is that of a password or the like; also for names that are not keys. */
    public static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.contains("passw")
                || lower.contains("passphrase")
                || lower.contains("secret")
                || lower.contains("token")
                || lower.contains("accesskey")
                || lower.contains("jaas.config")
                || lower.endsWith("keystore.key")
                || lower.endsWith("webhook.url") // with it any client may post there
                || lower.endsWith(".pwd")
                || lower.endsWith(".pass")
                || lower.endsWith(".pwdpublickey");
    }

    private static Set<String> quiet(String value) {
        return Set.of(value.toLowerCase(Locale.ROOT));
    }
}
