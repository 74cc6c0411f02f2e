import { useRoute, useRouter, type LocationQueryRaw } from 'vue-router'

/** The query of the page's address as its state: filters and page number survive a reload and can be sent to others. */
export function useQuery() {
  const route = useRoute()
  const router = useRouter()

  function text(name: string): string | undefined {
    const value = route.query[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  function number(name: string): number | undefined {
    const value = Number(text(name))
    return text(name) !== undefined && Number.isInteger(value) && value >= 0 ? value : undefined
  }

  /** Changes some; empty ones leave the address. A filter leads back to the first page. */
  function change(values: Record<string, string | number | undefined>): void {
    const query: LocationQueryRaw = { ...route.query }
    if (!('page' in values)) {
      delete query['page']
    }
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === '' || (name === 'page' && value === 1)) {
        delete query[name]
      } else {
        query[name] = String(value)
      }
    }
    void router.replace({ query })
  }

  return { text, number, change }
}
