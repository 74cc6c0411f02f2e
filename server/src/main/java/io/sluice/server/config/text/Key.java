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
 * @param reason why a value is refused, for {@link Support#REFUSED}; else blank
 * @param quiet the values that change nothing, for which no warning is logged that they have no effect
 */
public record Key<T>(
        String name,
        Scope scope,
        ValueType<T> type,
        String standard,
        Support support,
        String reason,
        Set<String> quiet) {
    public enum Scope {
        /** {@code canal.properties} only. */
        SERVER,
        /** An instance file, or {@code canal.properties} as the default of all instances. */
        INSTANCE
    }

    public enum Support {
        /** It works. */
        NOW,
        /** It is accepted, but does nothing in this version: the operator is told. */
        LATER,
        /** It would change what is delivered, or where, and this version cannot: no start. */
        REFUSED,
        /** It never has an effect: canal ignores it too, or it sets up something that we have no need of. */
        INERT
    }

    public static <T> Key<T> server(String name, ValueType<T> type, String standard) {
        return new Key<>(name, Scope.SERVER, type, standard, Support.NOW, "", quiet(standard));
    }

    public static <T> Key<T> instance(String name, ValueType<T> type, String standard) {
        return new Key<>(name, Scope.INSTANCE, type, standard, Support.NOW, "", quiet(standard));
    }

    /** With the value that canal's own files ship, which changes nothing either. */
    public Key<T> shipped(String value) {
        Set<String> values = new TreeSet<>(quiet);
        values.addAll(quiet(value));
        return new Key<>(name, scope, type, standard, support, reason, values);
    }

    public Key<T> later() {
        return new Key<>(name, scope, type, standard, Support.LATER, reason, quiet);
    }

    public Key<T> refused(String why) {
        return new Key<>(name, scope, type, standard, Support.REFUSED, why, quiet);
    }

    public Key<T> inert() {
        return new Key<>(name, scope, type, standard, Support.INERT, reason, quiet);
    }

    /** Whether a value says nothing but what holds anyway. */
    public boolean isQuiet(Setting setting) {
        return setting.isBlank()
                || quiet.contains(setting.raw().toLowerCase(Locale.ROOT))
                || quiet.contains(setting.text().toLowerCase(Locale.ROOT));
    }

    /** What to show of a value. */
    public String masked(String value) {
        return isSecret() && !value.isEmpty() ? Secret.MASK : value;
    }

    /** Whether its values are passwords or the like. */
    public boolean isSecret() {
        return type.equals(ValueType.SECRET) || isSecret(name);
    }

    /** What to show of a value that is under a name, be it a key or not. */
    public static String masked(String name, String value) {
        return isSecret(name) && !value.isEmpty() ? Secret.MASK : value;
    }

    /** Whether a name is that of a password or the like; also tells for names that are not keys. */
    public static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.contains("passw")
                || lower.contains("passphrase")
                || lower.contains("secret")
                || lower.contains("token")
                || lower.contains("accesskey")
                || lower.contains("jaas.config")
                || lower.endsWith("keystore.key")
                || lower.endsWith(".pwd")
                || lower.endsWith(".pass")
                || lower.endsWith(".pwdpublickey");
    }

    private static Set<String> quiet(String value) {
        return Set.of(value.toLowerCase(Locale.ROOT));
    }
}
