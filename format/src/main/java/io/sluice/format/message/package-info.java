/**
 * What a format of messages is: its name, its encoder, what one message holds. It does not know any of them.
 */
@NullMarked
package io.sluice.format.message;

import org.jspecify.annotations.NullMarked;
