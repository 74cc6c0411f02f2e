package io.sluice.schema.ddl;

import io.sluice.schema.ddl.catalog.TableCatalog;
import io.sluice.schema.definition.AlterItem;
import io.sluice.schema.definition.CharsetClause;
import io.sluice.schema.definition.TableBody;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The character set that a statement takes from its schema or its session, since its text does not name one.
 *
 * <p>A new table takes the default of the schema that it is in, whatever the session's default schema and {@code collation_database} are. {@code
 * CONVERT TO CHARACTER SET DEFAULT} does so on MariaDB, and takes {@code collation_database} on MySQL. A new schema takes {@code collation_server}.
 */
final class InheritedCharset {
    private InheritedCharset() {}

    /**
     * Replaces statements that take a character set from their schema or session by the same with its name.
     *
     * @param statements those of one text, in a list that can be changed
     * @param recorded the name of the character set; null if it is not recorded
     * @param catalog the table schemas before the statements
     * @return the name; null if no statement takes one
     * @throws IOException if the source had to be asked and could not be
     */
    static @Nullable String nameIn(
            List<Statement> statements,
            @Nullable String recorded,
            TableCatalog catalog,
            String sessionSchema,
            StatementSession session)
            throws IOException {
        String taken = recorded;
        for (int i = 0; i < statements.size(); i++) {
            String charset = recorded == null ? of(statements.get(i), catalog, sessionSchema, session) : recorded;
            if (charset != null) {
                statements.set(i, named(statements.get(i), charset));
                taken = charset;
            }
        }
        return taken;
    }

    /**
     * Determines the character set that a statement takes.
     *
     * @param catalog the table schemas before the statement
     * @param sessionSchema the session's default schema; may be empty
     * @return {@link CharsetClause#UNKNOWN} if it cannot be determined; null if the statement takes none, or the source does not show the schema
     * @throws IOException if the source had to be asked and could not be
     */
    private static @Nullable String of(
            Statement statement, TableCatalog catalog, String sessionSchema, StatementSession session)
            throws IOException {
        if (statement instanceof TableStatement.CreateTable create) {
            return takesDefault(create, catalog)
                    ? catalog.schemaCharset(create.name().schema())
                    : null;
        }
        if (statement instanceof TableStatement.AlterTable alter
                && catalog.tables().knows(alter.name())) {
            boolean converts = alter.items().stream().anyMatch(InheritedCharset::isConversion);
            if (converts && !catalog.source().mariaDb()) {
                return ofSession(catalog, sessionSchema, session);
            }
            return converts || alter.items().stream().anyMatch(InheritedCharset::isOption)
                    ? catalog.schemaCharset(alter.name().schema())
                    : null;
        }
        boolean takesServerCharset =
                statement instanceof SchemaStatement.CreateSchema create && create.charset() == null
                        || statement instanceof SchemaStatement.AlterSchema alter && alter.takesServerCharset();
        return takesServerCharset ? session.serverCharset() : null;
    }

    private static boolean takesDefault(TableStatement.CreateTable create, TableCatalog catalog) {
        TableBody body = create.body();
        boolean isMade = !create.ifNotExists()
                || !catalog.tables().exists(create.name())
                || catalog.doubts().isNameInDoubt(create.name());
        return body != null && body.needsSchemaCharset() && !create.temporary() && isMade;
    }

    private static boolean isConversion(AlterItem item) {
        return item instanceof AlterItem.ConvertCharset convert && convert.charset() == null;
    }

    private static boolean isOption(AlterItem item) {
        return item instanceof AlterItem.TableOptions options && options.takesSchemaCharset();
    }

    private static @Nullable String ofSession(TableCatalog catalog, String sessionSchema, StatementSession session)
            throws IOException {
        if (session.schemaCharset() != null) {
            return session.schemaCharset();
        }
        return sessionSchema.isEmpty() ? session.serverCharset() : catalog.schemaCharset(sessionSchema);
    }

    /** The statement as if its text named the character set that it takes. */
    private static Statement named(Statement statement, String charset) {
        if (statement instanceof TableStatement.CreateTable create) {
            TableBody body = create.body();
            return body == null || !body.needsSchemaCharset()
                    ? create
                    : new TableStatement.CreateTable(
                            create.name(),
                            create.temporary(),
                            create.orReplace(),
                            create.ifNotExists(),
                            body.withCharset(charset));
        }
        if (statement instanceof TableStatement.AlterTable alter) {
            List<AlterItem> items =
                    alter.items().stream().map(item -> named(item, charset)).toList();
            return new TableStatement.AlterTable(alter.name(), items);
        }
        if (statement instanceof SchemaStatement.CreateSchema create && create.charset() == null) {
            return new SchemaStatement.CreateSchema(create.name(), create.orReplace(), create.ifNotExists(), charset);
        }
        return statement instanceof SchemaStatement.AlterSchema alter && alter.takesServerCharset()
                ? new SchemaStatement.AlterSchema(alter.name(), charset, true, alter.isBeyondCanal())
                : statement;
    }

    private static AlterItem named(AlterItem item, String charset) {
        if (isConversion(item)) {
            return new AlterItem.ConvertCharset(charset);
        }
        return isOption(item) ? new AlterItem.TableOptions(charset, true) : item;
    }
}
