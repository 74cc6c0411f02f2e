package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.CompressedRow;
import io.sluice.server.instance.DeliveryTap;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeTailTest {
    /** It would be shown as damaged if it were unpacked. */
    @Test
    void aCompressedValueIsNotUnpackedIfItsTextIsTooLargeToBeShown() throws Exception {
        ChangeTail tail = new ChangeTail(new DeliveryTap(), "", true);

        tail.delivered(List.of(CompressedRow.damaged(40_000_000)));

        assertThat(tail.next(0).path("unreadable").asText()).contains("bytes or more are needed");
    }
}
