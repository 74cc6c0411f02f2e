package io.sluice.schema.table;

/**
 * Compares names without regard to case as servers do: each character is converted to lower case by itself, whatever is around it. Thus a dotless i is not
 * an i, and a sigma is the same letter at the end of a word as elsewhere.
 */
public final class IdentifierCase {
    private IdentifierCase() {}

    /** Whether two names differ in case only. */
    public static boolean areSame(String one, String other) {
        if (one.length() != other.length()) {
            return false;
        }
        for (int i = 0; i < one.length(); i++) {
            char c = one.charAt(i);
            char d = other.charAt(i);
            if (c != d && Character.toLowerCase(c) != Character.toLowerCase(d)) {
                return false;
            }
        }
        return true;
    }

    /** A name in lower case; the same for all names that differ in case only, and as long as they are. */
    public static String fold(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.toLowerCase(name.charAt(i)) != name.charAt(i)) {
                return foldFrom(name, i);
            }
        }
        return name;
    }

    /** A table's name in lower case, as that of its schema. */
    public static TableName fold(TableName name) {
        return new TableName(fold(name.schema()), fold(name.table()));
    }

    private static String foldFrom(String name, int first) {
        char[] folded = name.toCharArray();
        for (int i = first; i < folded.length; i++) {
            folded[i] = Character.toLowerCase(folded[i]);
        }
        return new String(folded);
    }
}
