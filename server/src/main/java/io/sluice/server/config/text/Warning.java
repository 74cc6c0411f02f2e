package io.sluice.server.config.text;

import java.util.List;

/**
 * Something that was accepted but does not work as written, or that the operator should know at each start. Its {@code toString} is the
 * sentence for the operator.
 */
public sealed interface Warning {
    /** The file or the text that it is about; empty if it is about no single one. */
    default String document() {
        return "";
    }

    /** The sentences of several. */
    static List<String> texts(List<Warning> warnings) {
        return warnings.stream().map(Warning::toString).toList();
    }

    /**
     * A warning about one place.
     *
     * @param origin where it is
     * @param sentence the rest of the sentence
     */
    record At(Origin origin, String sentence) implements Warning {
        @Override
        public String document() {
            return origin.document();
        }

        @Override
        public String toString() {
            return origin + ": " + sentence;
        }
    }

    /**
     * A warning about several places, or none.
     *
     * @param sentence all of it
     */
    record General(String sentence) implements Warning {
        @Override
        public String toString() {
            return sentence;
        }
    }

    /** What is wrong with an instance that a command is not about. */
    record OfAnotherInstance(Problem problem) implements Warning {
        @Override
        public String toString() {
            return "another instance has a problem: " + problem;
        }
    }
}
