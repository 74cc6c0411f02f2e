/** What the code under test logs. It depends on Logback, which tests bring. */
@NullMarked
package io.sluice.testkit.log;

import org.jspecify.annotations.NullMarked;
