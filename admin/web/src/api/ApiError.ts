import type { ConfigProblem, Problem } from './types'

/** A call that was not answered as wished: with the server's explanation, or with status 0 if there was no answer. */
export class ApiError extends Error {
  readonly status: number
  readonly title: string
  /** What is wrong and what to do; empty if the server did not say. */
  readonly detail: string
  /** Problems of a configuration that was not saved. */
  readonly problems: ConfigProblem[]
  /** The newest version of a configuration that another user has changed. */
  readonly currentVersion: number | undefined
  /** Seconds to wait before the next try, if the server says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, problem: Partial<Problem> = {}, retryAfter?: number) {
    super(problem.detail || problem.title || `status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.title = problem.title ?? ''
    this.detail = problem.detail ?? ''
    this.problems = problem.problems ?? []
    this.currentVersion = problem.currentVersion
    this.retryAfter = retryAfter
  }

  /** Returns the error of an answer that is not 2xx, whether or not its body is a problem document. */
  static async of(response: Response): Promise<ApiError> {
    const seconds = Number(response.headers.get('Retry-After'))
    let problem: Partial<Problem> = {}
    try {
      if (response.headers.get('Content-Type')?.includes('json')) {
        problem = (await response.clone().json()) as Partial<Problem>
      }
    } catch {
      // A proxy answered with something else; the status says enough.
    }
    return new ApiError(response.status, problem, seconds > 0 ? seconds : undefined)
  }

  /** Returns anything that was thrown as an ApiError; what is none is a call without an answer. */
  static from(thrown: unknown): ApiError {
    if (thrown instanceof ApiError) {
      return thrown
    }
    return new ApiError(0, { detail: thrown instanceof Error ? thrown.message : String(thrown) })
  }
}
