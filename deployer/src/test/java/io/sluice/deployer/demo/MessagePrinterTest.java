package io.sluice.deployer.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessagePrinterTest {
    private final MessagePrinter printer = new MessagePrinter(false, new Paint(false));

    @Test
    void anUpdateShowsWhatChanged() {
        String message = """
                {"data":[{"id":"1","price":"11.25","note":null}],"database":"shop","isDdl":false,
                 "old":[{"price":"12.50"}],"table":"orders","type":"UPDATE"}""";

        assertThat(printer.lines(message))
                .containsExactly("  UPDATE  shop.orders  id=1  price=11.25 (was 12.50)  note=NULL");
    }

    @Test
    void aDdlShowsItsStatement() {
        String message = """
                {"data":null,"database":"shop","isDdl":true,"old":null,"sql":"create table orders (\\n  id int)",
                 "table":"orders","type":"CREATE"}""";

        assertThat(printer.lines(message)).containsExactly("  CREATE  shop.orders  create table orders ( id int)");
    }

    @Test
    void rawShowsTheMessageItself() {
        assertThat(new MessagePrinter(true, new Paint(true)).lines("{}")).containsExactly("{}");
    }

    @Test
    void coloursAreOnlyForTerminals() {
        assertThat(new Paint(true).bold("x")).isEqualTo("\u001b[1mx\u001b[0m");
        assertThat(new Paint(false).bold("x")).isEqualTo("x");
    }
}
