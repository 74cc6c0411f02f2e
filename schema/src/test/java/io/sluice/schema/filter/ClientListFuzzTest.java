package io.sluice.schema.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client's list is refused as documented, or no name that a server allows is too expensive for it. */
class ClientListFuzzTest {
    private static final int MAX_CHARACTERS = 64;

    /** The first line is the list, and each other one a table. */
    @FuzzTest(maxDuration = "90s")
    void anAcceptedListIsNeverDropped(byte[] anything) {
        String[] lines = new String(anything, StandardCharsets.UTF_8).split("\n", -1);
        TableFilter filter = new TableFilter("", "");
        List<String> dropped = new ArrayList<>();
        filter.onFallback((list, reason) -> dropped.add(reason));
        try {
            filter.include(filter.judged(lines[0]));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        for (int i = 1; i < Math.min(lines.length, 20); i++) {
            int dot = Math.max(0, lines[i].indexOf('.'));
            filter.passes(stretched(lines[i].substring(0, dot)), stretched(lines[i].substring(dot)));
            filter.passes(shortened(lines[i].substring(0, dot)), shortened(lines[i].substring(dot)));
        }
        assertThat(dropped).isEmpty();
    }

    private static String shortened(String name) {
        return name.substring(0, Math.min(MAX_CHARACTERS, name.length()));
    }

    /** The longest name that repeats a text. */
    private static String stretched(String text) {
        return shortened((text.isEmpty() ? "a" : text).repeat(MAX_CHARACTERS));
    }
}
