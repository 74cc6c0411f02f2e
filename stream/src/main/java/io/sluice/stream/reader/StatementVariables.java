package io.sluice.stream.reader;

import io.sluice.format.value.VariableText;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.UserVarEvent;

/** Formats the session values that a statement in statement format uses, as SQL: ids, random seeds, variables. */
final class StatementVariables {
    private StatementVariables() {}

    /**
     * Formats an {@code INTVAR}, {@code RAND} or {@code USER_VAR} event as canal does.
     *
     * <p>An {@code INTVAR_EVENT} is a kind in one byte and a number in eight, a {@code RAND_EVENT} two such numbers. The
     * kind is not looked at, as canal does: what {@code LAST_INSERT_ID()} gives is also set as {@code INSERT_ID}.
     */
    static String sqlOf(int code, EventBody body) {
        return switch (code) {
            case EventCode.INTVAR -> {
                body.skip(1);
                yield "SET INSERT_ID = " + Long.toUnsignedString(body.readLong());
            }
            case EventCode.RAND ->
                "SET SESSION rand_seed1 = %s , rand_seed2 = %s"
                        .formatted(Long.toUnsignedString(body.readLong()), Long.toUnsignedString(body.readLong()));
            default -> {
                UserVarEvent variable = UserVarEvent.decode(body);
                yield "SET @" + variable.name() + " := " + VariableText.of(variable.value());
            }
        };
    }
}
