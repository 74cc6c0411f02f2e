import { ElMessage } from 'element-plus'

/** Says shortly that something was done; screen readers read it. */
export function notifyDone(message: string): void {
  ElMessage({ message, type: 'success', plain: true, duration: 5_000, showClose: true })
}

export function notifyProblem(message: string): void {
  ElMessage({ message, type: 'error', plain: true, duration: 10_000, showClose: true })
}
