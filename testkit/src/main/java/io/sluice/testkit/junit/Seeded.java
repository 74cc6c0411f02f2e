package io.sluice.testkit.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A parameter of a test, or of the constructor of its class, that is drawn by chance: a seed ({@code long}), or a {@code SplittableRandom} or
 * {@code Random} of that seed. A failure has the seed; {@code -Dsluice.seed=…} sets it.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SeedResolver.class)
public @interface Seeded {}
