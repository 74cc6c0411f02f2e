import AxeBuilder from '@axe-core/playwright'
import { expect, type Browser, type Locator, type Page } from '@playwright/test'

/** What an attacker would put where a name or a text is expected; it must be shown as it is. */
export const MARKUP = '<img src=x onerror=alert(1)>'

const NARROW = { width: 380, height: 780 }
const shots = process.env['SHOTS']

/** Commands what is behind the server: a MySQL that stops, rows that are written. Returns the answer. */
export async function command(path: string, body = ''): Promise<string> {
  const answer = await fetch(process.env['STAGE_URL'] + path, { method: 'POST', body })
  const text = await answer.text()
  expect(answer.status, `${path} ${body}: ${text}`).toBe(200)
  return text
}

/** Waits until the topic holds so many rows. */
export async function rowsInTopic(count: number) {
  await expect.poll(() => command('/rows'), { message: 'rows in the topic' }).toBe(String(count))
}

/** All by one command, so that they come within moments on a slow machine, too. */
export async function insert(count: number, item: string) {
  const items = Array.from({ length: count }, (_, row) => `${item} ${row}`)
  await command('/sql', items.map((each) => `insert into shop.orders (item) values ('${each}')`).join('\n'))
}

export async function logIn(page: Page, name: string, password: string) {
  await page.goto('/login')
  await page.getByLabel('User name', { exact: true }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Chooses an own password in place of an initial one. */
export async function choosePassword(page: Page, initial: string, own: string) {
  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
  await page.getByLabel('Current password').fill(initial)
  await page.getByLabel(/^New password(?!,)/).fill(own)
  await page.getByLabel('New password, again').fill(own)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
}

/** A page in a browser of another user, who has been given an initial password. */
export async function another(browser: Browser, name: string, initial: string, own: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await logIn(page, name, initial)
  await choosePassword(page, initial, own)
  return page
}

/** Opens a tab of the instance shop. */
export async function openTab(page: Page, tab: string) {
  await page.getByRole('tab', { name: tab, exact: true }).click()
}

/** Chooses an entry of the menu of actions. */
export async function act(page: Page, action: string) {
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Saves what was edited. */
export async function save(page: Page, comment: string, version: number) {
  await page.getByRole('button', { name: 'Save…' }).click()
  await confirmSave(page.getByRole('dialog'), comment)
  await expect(page.getByText(`Version ${version} was saved`)).toBeVisible()
}

export async function confirmSave(dialog: Locator, comment: string) {
  await dialog.getByLabel('Comment').fill(comment)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
}

let looks = 0

/** The themes take turns: it takes long to look at a page. Both are looked at if there are pictures. */
function schemes(): ('dark' | 'light')[] {
  return shots ? ['dark', 'light'] : [looks++ % 2 === 0 ? 'light' : 'dark']
}

/**
 * Looks at a page as it is: axe has no serious finding, and nothing sticks out on a phone.
 * With SHOTS set to a folder there are pictures of all of that.
 */
export async function look(page: Page, name: string) {
  if (process.env['LOOK'] === 'off') {
    return
  }
  const wide = page.viewportSize()!
  for (const colorScheme of schemes()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // By one call in the page, which has no frames: else each analysis opens a page of its own to join what the frames say.
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .options({ resultTypes: ['violations'] })
      .analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect
      .soft(
        serious.map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200)]),
        `axe on ${name}, ${colorScheme}`,
      )
      .toEqual([])
    if (shots) {
      await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png` })
    }
  }
  await page.setViewportSize(NARROW)
  // Charts follow the new width a moment later; one pixel is the rounding of fractions.
  await expect
    .configure({ soft: true })
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
      message: `pixels beyond the right edge of ${name} on a phone`,
    })
    .toBeLessThanOrEqual(1)
  if (shots) {
    await page.screenshot({ path: `${shots}/${name}-narrow.png`, fullPage: true })
  }
  await page.setViewportSize(wide)
  await expect(page.locator('img[src="x"]'), `markup on ${name} that is not text`).toHaveCount(0)
}
