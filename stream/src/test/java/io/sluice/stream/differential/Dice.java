package io.sluice.stream.differential;

import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random choices that follow from a seed. */
final class Dice {
    private final Random random;

    Dice(long seed) {
        random = new Random(seed);
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    /** A number from 0 to below the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    @SafeVarargs
    final <T> T oneOf(T... all) {
        return all[random.nextInt(all.length)];
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    void shuffle(List<?> all) {
        Collections.shuffle(all, random);
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
