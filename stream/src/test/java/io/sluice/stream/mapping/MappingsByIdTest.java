package io.sluice.stream.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.table.TableName;
import io.sluice.testkit.junit.Seeded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MappingsByIdTest {
    @Test
    @DisplayName("behaves as a map of the JDK does, with consecutive ids, ids that share a slot, and large ones")
    void behavesAsAHashMap(@Seeded SplittableRandom random) {
        MappingsById ids = new MappingsById();
        Map<Long, TableMapping> expected = new HashMap<>();
        List<Long> asked = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            long id = idOf(random, i);
            asked.add(id);
            if (random.nextInt(5_000) == 0) {
                ids.clear();
                expected.clear();
            }
            if (random.nextBoolean()) {
                TableMapping mapping = new TableMapping(new TableName("s", "t"), new byte[0], i, null, null, null);
                ids.put(id, mapping);
                expected.put(id, mapping);
            }
            long one = asked.get(random.nextInt(asked.size()));
            assertThat(ids.get(one)).as("id %d", one).isSameAs(expected.get(one));
        }
        for (long id : asked) {
            assertThat(ids.get(id)).as("id %d", id).isSameAs(expected.get(id));
        }
    }

    private static long idOf(SplittableRandom random, int i) {
        return switch (random.nextInt(4)) {
            case 0 -> 80 + i;
            case 1 -> random.nextInt(200);
            case 2 -> random.nextInt(200) * 64L;
            default -> random.nextLong(1L << 48);
        };
    }
}
