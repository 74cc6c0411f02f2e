import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'

const PAGES = {
  overview: '/',
  instances: '/instances',
  'instances-none': '/instances?search=nothing',
  instance: '/instances/orders',
  failed: '/instances/invoices',
  unwritten: '/instances/audit-trail',
  tables: '/instances/orders/tables',
  changes: '/instances/orders/changes',
  errors: '/instances/payments/errors',
  log: '/instances/orders/log',
  config: '/instances/orders/config',
  new: '/new-instance',
  servers: '/servers',
  server: '/servers/1',
  'server-config': '/servers/6/config',
  clusters: '/clusters',
  cluster: '/clusters/1',
  templates: '/templates',
  users: '/users',
  audit: '/audit',
  account: '/account',
  'not-found': '/nothing/here',
}
const LOOKS = [
  { name: 'wide-light-en', width: 1440, theme: 'light', language: 'en' },
  { name: 'wide-dark-zh', width: 1440, theme: 'dark', language: 'zh' },
  { name: 'narrow-dark-en', width: 380, theme: 'dark', language: 'en' },
  { name: 'narrow-light-zh', width: 380, theme: 'light', language: 'zh' },
] as const

/** Whatever the browser complains about, violations of the Content-Security-Policy above all. */
function complaints(page: Page): string[] {
  const found: string[] = []
  page.on('console', (message) => message.type() === 'error' && found.push(message.text()))
  page.on('pageerror', (error) => found.push(String(error)))
  return found
}

async function logIn(page: Page, name = 'admin') {
  await page.goto('/login')
  await page.getByLabel(/^(User name|用户名)$/).fill(name)
  await page.getByLabel(/^(Password|密码)$/).fill(`${name}-${name}`)
  await page.getByRole('button', { name: /^(Log in|登录)$/ }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

/** Serious findings of axe, what sticks out on the right, and complaints of the browser. */
async function check(page: Page, name: string, found: string[]) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const places = serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))])
  expect.soft(places, `axe on ${name}`).toEqual([])
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect.soft(beyond, `pixels beyond the right edge of ${name}`).toBeLessThanOrEqual(0)
  expect
    .soft(
      found.filter((text) => !text.includes('status of 401')),
      `complaints on ${name}`,
    )
    .toEqual([])
  found.length = 0
}

const only = process.env['PAGES']?.split(',')

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({ viewport: { width: look.width, height: look.width > 1000 ? 900 : 780 }, reducedMotion: 'reduce' })
    test.beforeEach(async ({ page }) => {
      await page.addInitScript(
        ([theme, language]) => {
          localStorage.setItem('sluice.theme', theme!)
          localStorage.setItem('sluice.language', language!)
        },
        [look.theme, look.language],
      )
    })

    test('pages', async ({ page }) => {
      const found = complaints(page)
      await page.goto('/login')
      await page.getByRole('button', { name: /^(Log in|登录)$/ }).waitFor()
      await page.screenshot({ path: `shots/${look.name}-login.png` })
      await check(page, 'login', found)
      await logIn(page)
      for (const [name, path] of Object.entries(PAGES)) {
        if (only === undefined || only.includes(name)) {
          await page.goto(path)
          await page.locator('main h1, main .title').first().waitFor()
          await page.waitForTimeout(1200)
          await page.screenshot({ path: `shots/${look.name}-${name}.png`, fullPage: true })
          await check(page, name, found)
        }
      }
    })

    test('dialogs', async ({ page }) => {
      const found = complaints(page)
      await logIn(page)
      await page.goto('/instances/orders')
      await page.getByRole('button', { name: /^(Pause|暂停)$/ }).click()
      await page.getByRole('dialog').waitFor()
      await page.waitForTimeout(500)
      await page.screenshot({ path: `shots/${look.name}-dialog-pause.png` })
      await check(page, 'pause', found)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })

      await page.getByRole('button', { name: /^(Actions|操作)$/ }).click()
      await page.getByRole('menuitem', { name: /^(Rewind or skip|回退或跳过)$/ }).click()
      await page
        .getByLabel(/^(Time|时间)$/)
        .last()
        .fill('2026-11-25T09:00:00')
      await page.getByRole('button', { name: /^(Dry run|预演)$/ }).click()
      await page.getByText('1,204,331').waitFor()
      await page.screenshot({ path: `shots/${look.name}-dialog-cursor.png` })
      await check(page, 'cursor', found)
      await page.keyboard.press('Escape')

      await page.goto('/instances/orders/config')
      await page.getByLabel(/^(Topic|主题)$/).fill('orders.v2')
      await page.getByRole('button', { name: /^(Text|文本)$/ }).click()
      await expect(page.locator('.cm-content')).toContainText('canal.mq.topic = orders.v2')
      await page.screenshot({ path: `shots/${look.name}-config-text.png` })
      await check(page, 'text', found)
      await page.getByRole('button', { name: /^(Save…|保存…)$/ }).click()
      await page.getByRole('dialog').locator('.cm-content').first().waitFor()
      await page.waitForTimeout(500)
      await page.screenshot({ path: `shots/${look.name}-dialog-save.png` })
      await check(page, 'save', found)
      await page.getByRole('button', { name: /^(Save|保存)$/ }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: /^(Versions|历史版本)$/ }).click()
      await page
        .getByRole('button', { name: /^(Compare|比较)$/ })
        .first()
        .click()
      await page.locator('.versions .cm-content').first().waitFor()
      await page.screenshot({ path: `shots/${look.name}-history.png` })
      await check(page, 'history', found)
    })
  })
}
