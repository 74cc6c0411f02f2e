package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.wire.error.ResultTooLargeException;
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
                withAtMost(most),
                TABLES,
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
        assertThatThrownBy(() ->
                        PagedDefinitions.read(withAtMost(0), TABLES, true, (table, create) -> null, progress -> {}))
                .isInstanceOf(ResultTooLargeException.class);
    }

    /** A source whose definitions of more tables exceed the limit. */
    private static SourceQueries withAtMost(int most) {
        return (SourceQueries) Proxy.newProxyInstance(
                PagedDefinitionsTest.class.getClassLoader(),
                new Class<?>[] {SourceQueries.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("createStatements")) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    List<?> tables = (List<?>) arguments[0];
                    if (tables.size() > most) {
                        throw new ResultTooLargeException("definitions exceed the limit", "raise the heap");
                    }
                    Map<Object, String> definitions = new LinkedHashMap<>();
                    tables.forEach(table -> definitions.put(table, "CREATE TABLE " + table));
                    return definitions;
                });
    }
}
