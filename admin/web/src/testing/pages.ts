import { newFakeApi, Refusal, type FakeApi } from './fakeApi'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, vi } from 'vitest'
import type { Role } from '@/api/types'
import App from '@/App.vue'
import { installElement } from '@/components/element'
import { i18n } from '@/i18n'
import { createPages } from '@/router'
import { usePreferences } from '@/stores/preferences'
import * as samples from './samples'

let api: FakeApi | undefined
let app: VueWrapper | undefined

afterEach(() => {
  app?.unmount()
  app = undefined
  document.body.innerHTML = ''
  expect(api?.unexpected ?? []).toEqual([])
  api = undefined
})

/** A new server with a session of that role, or with none; it answers only that, so a test adds what its page asks for. */
export function serverFor(role: Role | undefined): FakeApi {
  api = newFakeApi()
  api.on('GET', 'session', role ? samples.session(role) : new Refusal(401))
  return api
}

/** Opens an address in the complete application, as a browser would. Charts, which need a real canvas, are left out. */
export async function open(path: string, language: 'en' | 'zh' = 'en') {
  window.history.replaceState(null, '', path)
  const pinia = createPinia()
  setActivePinia(pinia)
  const router = createPages()
  usePreferences().useLanguage(language)
  usePreferences().apply()
  app = mount(App, {
    attachTo: document.body,
    global: {
      plugins: [pinia, i18n, { install: installElement }, router],
      stubs: { RateCharts: true, transition: true },
    },
  })
  await router.isReady()
  return router
}

/** Waits until that is there, and returns it. */
export function seen<T>(find: () => T | undefined | null, what: string): Promise<T> {
  return vi.waitFor(
    () => {
      const found = find()
      if (found === undefined || found === null) {
        throw new Error(`there is no ${what} in:\n${text()}`)
      }
      return found
    },
    { timeout: 60_000, interval: 5 },
  )
}

const all = <E extends Element>(selector: string) => [...document.querySelectorAll<E>(selector)]

/** Whether an element is shown, rather than in something that is closed. */
function isShown(element: Element): boolean {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    if ((each as HTMLElement).style?.display === 'none') {
      return false
    }
  }
  return true
}

const nameOf = (element: Element) =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim()

/** What is to be read on the page. */
export function text(): string {
  return (document.body.textContent ?? '').replace(/\s+/g, ' ')
}

/** The buttons and the entries of menus that can be used, by their names. */
export function actions(): string[] {
  return all('main button, main a[href], .el-dialog button, [role="menuitem"]').filter(isShown).map(nameOf)
}

export const tabs = () => all('[role="tab"]').map(nameOf)

export const says = (words: string) => seen(() => (text().includes(words) ? true : undefined), `"${words}"`)

/** Presses the button, or the entry of an open menu, of that name; in the open dialog, if there is one. */
export async function press(name: string): Promise<void> {
  const button = await seen(() => {
    const dialog = all('.el-dialog').filter(isShown).at(-1)
    return [...(dialog ?? document).querySelectorAll<HTMLElement>('button, [role="menuitem"]')].find(
      (each) => isShown(each) && nameOf(each) === name && !each.hasAttribute('disabled'),
    )
  }, `button "${name}"`)
  button.click()
}

function labelled(selector: string, label: string, is: (words: string) => boolean): Promise<HTMLInputElement> {
  return seen(() => {
    const named = all<HTMLInputElement>(selector).filter((each) => {
      const words = each.getAttribute('aria-label') ?? each.labels?.[0]?.querySelector('span')?.textContent
      return isShown(each) && is((words || each.labels?.[0]?.textContent || '').trim())
    })
    return named.at(-1)
  }, `field "${label}"`)
}

/** The field with that label. */
export function field(label: string): Promise<HTMLInputElement> {
  const fields = 'input:not([type="radio"], [type="checkbox"]), select, textarea'
  return labelled(fields, label, (words) => words === label)
}

/** Chooses the radio button, or changes the check box, whose label begins so. */
export async function choose(label: string): Promise<void> {
  const boxes = 'input[type="radio"], input[type="checkbox"]'
  const box = await labelled(boxes, label, (words) => words.startsWith(label))
  box.click()
}

export async function type(label: string, value: string): Promise<void> {
  const input = await field(label)
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Waits until the pages have made that change, and returns its body. */
export async function changed(method: string, path: string): Promise<unknown> {
  const server = api!
  const call = await seen(
    () => server.changes.find((each) => each.method === method && each.path === `/api/v2/${path}`),
    `call ${method} ${path}, but ${JSON.stringify(server.changes)}`,
  )
  return call.body
}

/** Waits until all is done that the pages have begun, but for answers that are held. */
export async function nothingIsPending(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await flushPromises()
  }
}

/** Checks that the pages have changed nothing, now that all they have begun is done. */
export async function nothingChanged(): Promise<void> {
  await nothingIsPending()
  expect(api!.changes).toEqual([])
}
