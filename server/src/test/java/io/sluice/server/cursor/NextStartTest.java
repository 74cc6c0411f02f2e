package io.sluice.server.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.Subscription;
import java.util.List;
import org.junit.jupiter.api.Test;

class NextStartTest {
    private static Cursor at(long offset) {
        return new Cursor("localhost", 3306, new BinlogPosition("mysql-bin.000001", offset), "", 1, 1700000000000L);
    }

    @Test
    void isAtTheSmallestCursor() {
        Subscription none = new Subscription(7, "", null);

        assertThat(NextStart.of(List.of(none, new Subscription(8, "", at(20)), new Subscription(9, "", at(10)))))
                .isEqualTo(at(10));
        assertThat(NextStart.of(List.of(none))).isNull();
    }

    /** It is kept for its cursor until another one has a cursor. */
    @Test
    void isAtTheCursorOfAClientThatHasLeftOnlyIfNoOtherHasOne() {
        Subscription left = new Subscription(7, "", at(10), 0, true);

        assertThat(NextStart.of(List.of(left, new Subscription(8, "", null)))).isEqualTo(at(10));
        assertThat(NextStart.of(List.of(left, new Subscription(8, "", at(20))))).isEqualTo(at(20));
        assertThat(NextStart.text(List.of(left, new Subscription(8, "", null)))).contains("client 7", "client 8");
        assertThat(NextStart.text(List.of(left, new Subscription(8, "", at(20)))))
                .contains("client 8")
                .doesNotContain("client 7");
    }
}
