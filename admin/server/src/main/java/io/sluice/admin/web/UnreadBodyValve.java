package io.sluice.admin.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.springframework.http.HttpHeaders;

/**
 * Closes the connection of a request that a filter has rejected without reading its body. Otherwise Tomcat waits for the rest of the body, on
 * a thread, before it serves the next request of the connection.
 */
final class UnreadBodyValve extends ValveBase {
    private static final String REJECTED = UnreadBodyValve.class.getName() + ".rejected";

    UnreadBodyValve() {
        super(true); // streams of events are asynchronous
    }

    /** Has the connection closed after the response, and announces that to the client, whose next request could come over it. Called before the response is written. */
    static void closeAfter(HttpServletRequest request, HttpServletResponse response) {
        request.setAttribute(REJECTED, true);
        response.setHeader(HttpHeaders.CONNECTION, "close");
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        getNext().invoke(request, response);
        if (request.getAttribute(REJECTED) != null) {
            request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }
}
