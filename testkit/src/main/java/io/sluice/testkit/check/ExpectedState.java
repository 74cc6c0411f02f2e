package io.sluice.testkit.check;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What tables are known to hold, to compare a model with. */
public interface ExpectedState {
    /** A table: its columns and its rows. */
    interface Table {
        /** Its name. */
        TableId id();

        /** The columns of its primary key, none if it has none, or null if that is not known. */
        @Nullable List<String> key();

        /** The columns' types, where they are known. */
        Map<String, String> types();

        /**
         * Hands on each row, its values as texts in the form in which they are delivered.
         *
         * @param deliveredTypes the types that the delivered records name
         */
        void forEachRow(Map<String, String> deliveredTypes, Consumer<Row> receiver);
    }

    /** All tables, empty ones too. */
    List<Table> tables();
}
