package io.sluice.connector.api.producer;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant by a misspelt one. */
public final class Spelling {
    private Spelling() {}

    /** The nearest of some names, if it is near enough to be meant. */
    public static Optional<String> nearest(String name, Collection<String> names) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : names) {
            int distance = distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        int differing = name.length() - sharedParts(name.toLowerCase(Locale.ROOT), best.toLowerCase(Locale.ROOT));
        return bestDistance <= Math.max(2, differing / 3) ? Optional.of(best) : Optional.empty();
    }

    /** The length of the parts, up to a dot, with which both begin: they make a name long, and say nothing of what was meant. */
    private static int sharedParts(String a, String b) {
        int shared = 0;
        for (int i = 0; i < Math.min(a.length(), b.length()) && a.charAt(i) == b.charAt(i); i++) {
            if (a.charAt(i) == '.') {
                shared = i + 1;
            }
        }
        return shared;
    }

    /** How many letters must be put in, left out, changed, or swapped with their neighbour. */
    public static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                current[j] = Math.min(last[j - 1] + change, Math.min(last[j], current[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    current[j] = Math.min(current[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = current;
            current = free;
        }
        return last[b.length()];
    }
}
