import createClient, { type Middleware } from 'openapi-fetch'
import { ApiError } from './ApiError'
import { cookieValue } from './cookies'
import type { paths } from './generated/openapi'

let unauthorized: () => void = () => undefined

/** Sets what happens when a call is answered with 401 although the user was logged in. */
export function onUnauthorized(handler: () => void): void {
  unauthorized = handler
}

/** Sends the token that shows that a change comes from these pages, and turns refusals into errors. */
const rules: Middleware = {
  onRequest({ request }) {
    const token = cookieValue(document.cookie, 'XSRF-TOKEN')
    if (request.method !== 'GET' && token !== undefined) {
      request.headers.set('X-XSRF-TOKEN', token)
    }
    return request
  },
  async onResponse({ request, response }) {
    if (response.ok) {
      return undefined
    }
    const login = request.method === 'POST' && request.url.endsWith('/api/v2/session')
    if (response.status === 401 && !login) {
      unauthorized()
    }
    throw await ApiError.of(response)
  },
}

/** The typed client: paths, parameters, bodies and answers are those of openapi.json. */
export const client = createClient<paths>({ baseUrl: window.location.origin, credentials: 'same-origin' })
client.use(rules)

/** Returns the body of an answer, or throws an {@link ApiError}. */
export async function body<T>(call: Promise<{ data?: T }>): Promise<T> {
  try {
    return (await call).data as T
  } catch (thrown) {
    throw ApiError.from(thrown)
  }
}
