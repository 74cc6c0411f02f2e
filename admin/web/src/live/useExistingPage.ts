import { watch, type Ref } from 'vue'
import type { useQuery } from './useQuery'

/** Leads from a page beyond the end of a list to its last one: the list may have become shorter, or the address be an old one. */
export function useExistingPage(
  data: Readonly<Ref<{ items: readonly unknown[]; total: number; size: number } | undefined>>,
  query: ReturnType<typeof useQuery>,
): void {
  watch(data, (page) => {
    if (page !== undefined && page.items.length === 0 && page.total > 0) {
      query.change({ page: Math.ceil(page.total / page.size) })
    }
  })
}
