package io.sluice.testkit.junit;

import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Resolves parameters that are {@link Seeded}, and adds their seed to the failure of a test. */
final class SeedResolver implements ParameterResolver, TestExecutionExceptionHandler {
    private static final String PROPERTY = "sluice.seed";
    private static final Namespace NAMESPACE = Namespace.create(SeedResolver.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.isAnnotated(Seeded.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        long seed = context.getStore(NAMESPACE).getOrComputeIfAbsent(PROPERTY, SeedResolver::draw, Long.class);
        Class<?> type = parameter.getParameter().getType();
        if (type == long.class) {
            return seed;
        }
        if (type == SplittableRandom.class) {
            return new SplittableRandom(seed);
        }
        if (type == Random.class) {
            return new Random(seed);
        }
        throw new IllegalArgumentException("a seeded parameter cannot be a " + type.getName());
    }

    private static Long draw(String property) {
        return Long.getLong(property, new SplittableRandom().nextLong());
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        @Nullable Long seed = context.getStore(NAMESPACE).get(PROPERTY, Long.class);
        if (seed != null) {
            failure.addSuppressed(new SeedNote(seed));
        }
        throw failure;
    }

    /** Shows the seed below the trace of a failure. */
    private static final class SeedNote extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SeedNote(long seed) {
            super("run it again with -D%s=%d".formatted(PROPERTY, seed), null, false, false);
        }
    }
}
