package io.sluice.deployer;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.time.Clock;
import java.util.Set;

/** A call, or a method reference, that reads a clock of this machine or that sleeps. */
final class ClockAccess extends DescribedPredicate<JavaAccess<?>> {
    private static final Set<String> READS_OF_SYSTEM = Set.of("nanoTime", "currentTimeMillis");

    ClockAccess() {
        super("the target reads a clock of the machine or sleeps, use io.sluice.protocol.time.Time");
    }

    @Override
    public boolean test(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        String name = target.getName();
        return switch (target.getOwner().getFullName()) {
            case "java.lang.System" -> READS_OF_SYSTEM.contains(name);
            case "java.lang.Thread", "java.util.concurrent.TimeUnit" -> name.equals("sleep");
            case "java.time.Clock", "java.time.InstantSource" -> name.startsWith("system") || name.startsWith("tick");
            case "java.util.Calendar" -> name.equals("getInstance");
            case "java.util.Date", "java.util.GregorianCalendar" ->
                name.equals(JavaConstructor.CONSTRUCTOR_NAME) && !hasParameters(target);
            default ->
                target.getOwner().getPackageName().startsWith("java.time")
                        && name.equals("now")
                        && !takesAClock(target);
        };
    }

    private static boolean hasParameters(AccessTarget target) {
        return target instanceof CodeUnitAccessTarget called
                && !called.getRawParameterTypes().isEmpty();
    }

    private static boolean takesAClock(AccessTarget target) {
        return target instanceof CodeUnitAccessTarget called
                && called.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
    }
}
