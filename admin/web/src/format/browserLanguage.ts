/**
 * Replaces a language of the browser that is no language tag, such as en-US@posix, which Chromium has with the locale C: libraries that
 * format with it, uPlot among them, could not be loaded.
 */
export function repairLanguage(browser: { readonly language: string }): void {
  try {
    Intl.getCanonicalLocales(browser.language)
  } catch {
    Object.defineProperty(browser, 'language', { value: 'en', configurable: true })
  }
}
