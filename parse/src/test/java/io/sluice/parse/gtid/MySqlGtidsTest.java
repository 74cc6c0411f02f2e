package io.sluice.parse.gtid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MySqlGtidsTest {
    /** Several sources and tags, each with gaps, some of which are filled later. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void growsAsASetDoesAndNeverChangesWhatItWas(long seed) {
        Random random = new Random(seed);
        GtidSet set = GtidSet.parse("00000000-0000-0000-0000-000000000001:1-5:8-9");
        MySqlGtids gtids = MySqlGtids.of(set);
        List<MySqlGtids> states = new ArrayList<>(List.of(gtids));
        List<String> texts = new ArrayList<>(List.of(set.toString()));
        long[] next = new long[12];
        for (int i = 0; i < 2_000; i++) {
            int source = random.nextInt(next.length);
            next[source] += random.nextInt(20) == 0 ? 3 : random.nextInt(30) == 0 && next[source] > 3 ? -2 : 1;
            Gtid gtid = new Gtid(new UUID(0, source / 2), source % 2 == 0 ? "" : "tag", 10 + next[source]);

            set.add(gtid);
            gtids = gtids.plus(gtid);

            states.add(gtids);
            texts.add(set.toString());
        }
        for (int i = 0; i < states.size(); i++) {
            assertThat(states.get(i).set()).as("seed %d, state %d", seed, i).isEqualTo(GtidSet.parse(texts.get(i)));
        }
    }

    @Test
    void isEmptyUntilSomethingIsAdded() {
        MySqlGtids empty = MySqlGtids.parse("");
        assertThat(empty.isEmpty()).isTrue();
        assertThat(empty.text()).isEmpty();
        assertThat(empty.plus(new Gtid(new UUID(0, 1), 1)).isEmpty()).isFalse();
    }

    @Test
    void thatOfMariaDbHasTheNewestOfEveryDomain() {
        MariaDbGtids gtids = MariaDbGtids.parse("0-1-7,3-1-2");

        assertThat(gtids.plus(MariaDbGtid.parse("0-2-8"))
                        .plus(MariaDbGtid.parse("1-1-1"))
                        .text())
                .isEqualTo("0-2-8,1-1-1,3-1-2");
        assertThat(gtids.text()).isEqualTo("0-1-7,3-1-2");
        assertThat(ExecutedGtids.parse("0-1-7,3-1-2")).isInstanceOf(MariaDbGtids.class);
    }
}
