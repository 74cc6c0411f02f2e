package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PagedDefinitionsTest {
    private static final List<TableName> TABLES = IntStream.range(0, 450)
            .mapToObj(i -> new TableName("shop", "t" + i))
            .toList();

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 200})
    void definitionsThatAreTooLargeTogetherAreReadInSmallerPages(int most) throws IOException {
        List<TableName> taken = new ArrayList<>();
        List<Integer> progress = new ArrayList<>();

        PagedDefinitions.read(
                withAtMost(most, TABLES.size(), new ArrayList<>()),
                TABLES,
                catalog(),
                true,
                (table, create) -> {
                    taken.add(table);
                    return null;
                },
                progress::add);

        assertThat(taken).isEqualTo(TABLES);
        assertThat(progress).isSorted().endsWith(TABLES.size());
    }

    @Test
    void aSingleDefinitionThatIsTooLargeIsAFailure() {
        SourceQueries queries = withAtMost(0, TABLES.size(), new ArrayList<>());

        assertThatThrownBy(() -> PagedDefinitions.read(
                        queries, TABLES, catalog(), true, (table, create) -> null, progress -> {}))
                .isInstanceOf(ResultTooLargeException.class);
    }

    /** Large definitions at the beginning do not make the reading of thousands of others slow. */
    @Test
    void pagesGrowAgainAfterLargeDefinitions() throws IOException {
        List<Integer> pages = new ArrayList<>();

        PagedDefinitions.read(
                withAtMost(1, 3, pages), TABLES, catalog(), true, (table, create) -> null, progress -> {});

        assertThat(pages).startsWith(1, 1, 1).endsWith(2, 4, 8, 16, 32, 64, 128, 193);
    }

    private static TableCatalog catalog() {
        return new SchemaTracker(name -> null).catalog();
    }

    /**
     * A source whose definitions of more tables exceed the limit.
     *
     * @param large how many of its first tables are as large
     * @param pages gets the numbers of tables of which the definitions are returned
     */
    private static SourceQueries withAtMost(int most, int large, List<Integer> pages) {
        return (SourceQueries) Proxy.newProxyInstance(
                PagedDefinitionsTest.class.getClassLoader(),
                new Class<?>[] {SourceQueries.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("createStatements")) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    List<?> tables = (List<?>) arguments[0];
                    if (tables.size() > most && TABLES.indexOf(tables.get(0)) < large) {
                        throw new ResultTooLargeException("definitions exceed the limit", "raise the heap");
                    }
                    pages.add(tables.size());
                    Map<Object, String> definitions = new LinkedHashMap<>();
                    tables.forEach(table -> definitions.put(table, "CREATE TABLE " + table));
                    return definitions;
                });
    }
}
