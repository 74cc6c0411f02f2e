import AxeBuilder from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'

const PASSWORD = 'a password for tests 1'
const shots = process.env['SHOTS']

/** Commands what is behind the server: a MySQL that stops, rows that are written. */
async function command(path: string, body = '') {
  const answer = await fetch(process.env['STAGE_URL'] + path, { method: 'POST', body })
  expect(answer.status, `${path} ${body}: ${await answer.text()}`).toBe(204)
}

async function logIn(page: Page, password: string) {
  await page.goto('/login')
  await page.getByLabel('User name', { exact: true }).fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

async function look(page: Page, name: string) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect.soft(serious.map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200)]), `axe on ${name}`).toEqual([])
  if (shots) {
    await page.screenshot({ path: `${shots}/${name}.png` })
  }
}

test.describe.configure({ mode: 'serial' })

test.describe('an operator', () => {
  test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 }, colorScheme: 'light' })

  test('logs in with the initial password and has to change it', async ({ page }) => {
    await logIn(page, 'not the password')
    await expect(page.getByText('User name or password is wrong', { exact: true })).toBeVisible()
    await logIn(page, process.env['INITIAL_PASSWORD']!)
    await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
    await page.getByLabel('Current password').fill(process.env['INITIAL_PASSWORD']!)
    await page.getByLabel(/^New password(?!,)/).fill(PASSWORD)
    await page.getByLabel('New password, again').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    await look(page, 'overview-empty')
  })

  test('adds a server and sees rows flow, the source break and come back', async ({ page }) => {
    await logIn(page, PASSWORD)
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    await page.goto('/servers')
    await page.getByRole('button', { name: 'Add server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('first')
    await dialog.getByLabel('Address', { exact: true }).fill('127.0.0.1')
    await dialog.getByLabel('Address of the control API').fill(process.env['CONTROL_URL']!)
    await dialog.getByLabel('Token of the control API').fill(process.env['CONTROL_TOKEN']!)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await expect(dialog.getByRole('status')).toContainText('Control API')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('link', { name: 'first' })).toBeVisible()

    await page.getByRole('link', { name: 'Instances' }).click()
    await page.getByRole('link', { name: 'shop' }).click()
    await expect(page.getByText('Running').first()).toBeVisible()
    for (let row = 0; row < 20; row++) {
      await command('/sql', `insert into shop.orders (item) values ('tea ${row}')`)
    }
    await expect(page.getByText(/^2[0-9] rows,/)).toBeVisible()
    await look(page, 'instance')
    await page.getByRole('tab', { name: 'Tables' }).click()
    await expect(page.getByText('orders').first()).toBeVisible()
    await look(page, 'tables')

    await command('/mysql/stop')
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'shop' }).first()).toBeVisible()
    await look(page, 'overview-problem')
    await command('/mysql/start')
    await expect(page.getByText('No problems')).toBeVisible({ timeout: 90_000 })
    await look(page, 'overview')
  })

  test('pauses and resumes an instance, and rewinds its cursor', async ({ page }) => {
    await logIn(page, PASSWORD)
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    await page.goto('/instances/shop')
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('maintenance')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText(/Paused since/)).toBeVisible()
    await look(page, 'instance-paused')
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByText(/Paused since/)).toBeHidden()
    await page.goto('/audit')
    await expect(page.getByText('instance.pause')).toBeVisible()
    await look(page, 'audit')
  })

  test('tries a configuration before it is saved', async ({ page }) => {
    await logIn(page, PASSWORD)
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    await page.goto('/instances/new')
    await page.getByRole('textbox', { name: 'Address' }).fill(process.env['SOURCE']!)
    await page.getByRole('textbox', { name: 'User' }).fill('canal')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    const connection = page.getByRole('region', { name: 'Test the connection' })
    await connection.getByRole('button', { name: 'Test' }).click()
    await expect(connection.getByText('It does not work')).toBeVisible({ timeout: 60_000 })
    await expect(connection.getByText(/Access denied/)).toBeVisible()
    await look(page, 'connection-failed')
    await page.getByLabel('Password', { exact: true }).fill('canal')
    await expect(connection.getByText('It does not work')).toBeHidden()
    await connection.getByRole('button', { name: 'Test' }).click()
    await expect(connection.getByText('the binlog can be read')).toBeVisible({ timeout: 60_000 })
    await expect(connection.getByText(/Access denied/)).toBeHidden()
    await look(page, 'connection')

    const routes = page.getByRole('region', { name: 'Test filter and routes' }).first()
    await routes.getByRole('button', { name: 'List tables of the source' }).click()
    await expect(routes.getByText(/^Tables that the account sees: [0-9]+/)).toBeVisible({ timeout: 60_000 })
    await expect(routes.getByRole('row', { name: /shop\.orders/ })).toBeVisible()
    await look(page, 'routes')
  })

  test('logs out', async ({ page }) => {
    await logIn(page, PASSWORD)
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/\/login/)
    await page.goto('/servers')
    await expect(page).toHaveURL(/\/login/)
  })
})

test.describe('in Chinese, dark, on a phone', () => {
  test.use({ locale: 'zh-CN', viewport: { width: 380, height: 780 }, colorScheme: 'dark' })

  test('the pages have their texts', async ({ page }) => {
    await page.goto('/login')
    await page.getByLabel('用户名').fill('admin')
    await page.getByLabel('密码').fill(PASSWORD)
    await page.getByRole('button', { name: '登录' }).click()
    await expect(page.getByRole('heading', { name: '概览' })).toBeVisible()
    await look(page, 'overview-zh')
    await page.goto('/instances/shop')
    await expect(page.getByText('运行').first()).toBeVisible()
    await look(page, 'instance-zh')
  })
})
