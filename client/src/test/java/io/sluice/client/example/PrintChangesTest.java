package io.sluice.client.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.QueueMessage;
import io.sluice.client.TableChange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintChangesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'type':'INSERT','data':[{'id':'7','note':null}]        | INSERT shop.orders id=7 note=null",
                "'type':'CREATE','isDdl':true,'sql':'create table t (i)' | create table t (i)",
                "'type':'UPDATE','isDdl':false,'sql':'update t set i = 1' | update t set i = 1"
            },
            quoteCharacter = '"')
    void everyChangeIsPrinted(String fields, String line) throws IOException {
        String json =
                "{'database':'shop','table':'orders',%s}".formatted(fields).replace('\'', '"');
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        for (TableChange change :
                QueueMessage.read(json.getBytes(StandardCharsets.UTF_8)).changes()) {
            PrintChanges.print(change, new PrintStream(printed, true, StandardCharsets.UTF_8));
        }

        assertThat(printed.toString(StandardCharsets.UTF_8).lines()).containsExactly(line);
    }
}
