package io.sluice.server.config.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlaceholderNamesTest {
    private static final int LONG = 1 << 18;

    @Test
    void namesAreFoundWithoutBlanksAndFallbacks() {
        assertThat(PlaceholderNames.of("a ${b} ${ c : d} ${e:${f}} ${g")).containsExactly("b", "c", "e", "f");
        assertThat(PlaceholderNames.withoutFallback("a ${b} ${ c : d} ${e:${f}} ${}"))
                .containsExactly("b", "f");
    }

    /** The rule, as an expression that takes the cube of the length for a placeholder that does not end. */
    @Test
    void namesAreThoseOfTheRule() {
        Pattern rule = Pattern.compile("\\$\\{\\s*([^:}$\\s][^:}$]*?)\\s*[:}]");
        Pattern withoutFallback = Pattern.compile("\\$\\{\\s*([^:}$\\s][^:}$]*?)\\s*}");
        Random random = new Random(4711);
        String[] parts = {"${", "$", "{", "}", ":", " ", "\t", "a", "b c", "é"};
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(12); n > 0; n--) {
                text.append(parts[random.nextInt(parts.length)]);
            }

            assertThat(PlaceholderNames.of(text.toString())).as("%s", text).isEqualTo(names(rule, text));
            assertThat(PlaceholderNames.withoutFallback(text.toString()))
                    .as("%s", text)
                    .isEqualTo(names(withoutFallback, text));
        }
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongValueIsSearched() {
        assertThat(PlaceholderNames.of("${" + " ".repeat(LONG) + "x")).isEmpty();
        assertThat(PlaceholderNames.of("${".repeat(LONG))).isEmpty();
        assertThat(PlaceholderNames.of("${x".repeat(LONG) + "}")).containsExactly("x");
    }

    private static List<String> names(Pattern rule, CharSequence text) {
        return rule.matcher(text).results().map(found -> found.group(1)).toList();
    }
}
