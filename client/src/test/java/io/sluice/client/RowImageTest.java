package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.entry.Column;
import java.math.BigDecimal;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowImageTest {
    private final RowImage row = new RowImage(List.of(
            Column.newBuilder().setName("id").setIsKey(true).setValue("7").build(),
            Column.newBuilder()
                    .setName("amount")
                    .setMysqlType("decimal(10,2)")
                    .setUpdated(true)
                    .setValue("10.50")
                    .build(),
            Column.newBuilder().setName("picture").setValue("\u00ff\u0000A").build(),
            Column.newBuilder().setName("note").setIsNull(true).build()));

    @Test
    void aValueIsReadAsWhatItIs() {
        assertThat(row.number("id")).isEqualTo(7);
        assertThat(row.decimal("amount")).isEqualTo(new BigDecimal("10.50"));
        assertThat(row.bytes("picture")).containsExactly(0xff, 0, 'A');
        assertThat(row.text("amount")).isEqualTo("10.50");
        assertThat(row.mysqlType("amount")).isEqualTo("decimal(10,2)");
    }

    @Test
    void textIsNotReadAsBytes() {
        RowImage text = new RowImage(List.of(
                Column.newBuilder().setName("name").setValue("\u4e2d\u6587").build()));

        assertThatThrownBy(() -> text.bytes("name"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("column name has characters that are no bytes: it is not binary, read it as text");
    }

    @Test
    void nullHasNoValueButANullText() {
        assertThat(row.isNull("note")).isTrue();
        assertThat(row.text("note")).isNull();
        assertThatThrownBy(() -> row.number("note")).hasMessage("column note is NULL");
    }

    @Test
    void aValueIsKnownUnlessItIsTakenFromTheImageAfter() {
        Column a = Column.newBuilder().setName("a").setValue("1").build();
        RowImage flat =
                new RowImage(List.of(a, Column.newBuilder(a).setName("b").build()), Set.of("b"));
        assertThat(flat.isKnown("a")).isTrue();
        assertThat(flat.isKnown("b")).isFalse();
        assertThat(flat.text("b")).isEqualTo("1");
        assertThatThrownBy(() -> flat.isKnown("c")).isInstanceOf(NoSuchElementException.class);
        assertThat(row.isKnown("id")).isTrue();
    }

    @Test
    void aColumnThatIsNotThereIsNamed() {
        assertThat(row.has("Id")).isFalse();
        assertThatThrownBy(() -> row.text("Id"))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("there is no column Id, but [id, amount, picture, note]");
    }

    @Test
    void keysAndChangedColumnsAreKnown() {
        assertThat(row.keyNames()).containsExactly("id");
        assertThat(row.isUpdated("amount")).isTrue();
        assertThat(row.isUpdated("id")).isFalse();
        assertThat(row).hasToString("row image of [id, amount, picture, note]");
        assertThat(new RowImage(List.of()).isEmpty()).isTrue();
    }
}
