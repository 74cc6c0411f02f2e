package io.sluice.schema.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.sql.SourceTraits;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentifierCaseTest {
    private static final SourceTraits FOLDING = new SourceTraits(false, 80031, true);

    @ParameterizedTest
    @CsvSource({
        "aci,ACI,true",
        "aci,acı,false",
        "ΑΣ,ας,false",
        "ΑΣ,ασ,true",
        "İd,id,true",
        "id,i̇d,false",
        "É,é,true",
        "a,ab,false"
    })
    void comparesOneCharacterAfterTheOther(String one, String other, boolean areSame) {
        assertThat(IdentifierCase.areSame(one, other)).isEqualTo(areSame);
        assertThat(IdentifierCase.fold(one).equals(IdentifierCase.fold(other))).isEqualTo(areSame);
    }

    @Test
    void foldsNamesOfTablesAsTheServer() throws IOException {
        SchemaTracker tracker = new SchemaTracker(table -> null, FOLDING);
        tracker.statements().apply("create table `ΠΕΛΑΤΗΣ` (a int)", "İŞ");
        tracker.statements().apply("alter table `πελατησ` add b int", "iş");

        assertThat(SchemaTexts.text(tracker.catalog().table(new TableName("iş", "πελατησ"))))
                .isEqualTo("a int, b int");
    }

    @Test
    void tellsColumnsApartWhoseNamesTheServerTellsApart() throws IOException {
        SchemaTracker tracker = new SchemaTracker(table -> null);
        tracker.statements().apply("create table t (aci int, `acı` int, primary key (`acı`))", "shop");
        TableName name = new TableName("shop", "t");
        assertThat(SchemaTexts.text(tracker.catalog().table(name))).isEqualTo("aci int, acı* int");
        assertThat(tracker.catalog().tables().removeColumns(name, List.of("acı")))
                .isTrue();
        assertThat(SchemaTexts.text(tracker.catalog().table(name))).isEqualTo("aci int");

        tracker.statements().apply("alter table t add `acı` int, change `ACı` x int first", "shop");
        assertThat(tracker.catalog().table(name)).isNull(); // MySQL does not change what the statement adds
    }
}
