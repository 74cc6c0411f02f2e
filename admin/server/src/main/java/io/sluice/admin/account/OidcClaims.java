package io.sluice.admin.account;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Reads claims of an identity provider. */
final class OidcClaims {
    private OidcClaims() {}

    /**
     * Returns the values of a claim: those of a list, or the words of a text.
     *
     * @param path the name of the claim; if there is none of that name, dots in it lead into objects
     */
    static List<String> values(Map<String, Object> claims, String path) {
        Object value = find(claims, path);
        if (value instanceof Collection<?> several) {
            return several.stream().map(String::valueOf).toList();
        }
        return value instanceof String text ? List.of(text.strip().split("[\\s,]+")) : List.of();
    }

    private static Object find(Map<?, ?> claims, String path) {
        Object direct = claims.get(path);
        if (direct != null) {
            return direct;
        }
        int dot = path.indexOf('.');
        return dot > 0 && claims.get(path.substring(0, dot)) instanceof Map<?, ?> inner
                ? find(inner, path.substring(dot + 1))
                : "";
    }
}
